import { describe, expect, test } from 'vitest';
import {
  minimumDetectableEffect,
  powerOf,
  reversePower,
  sampleSize,
  sequentialSampleSize,
} from '../../src/engine/statistics/power.ts';
import { mixingVariance } from '../../src/engine/statistics/sequential.ts';
import table from './golden/power.json';
import { expectGolden } from './golden.ts';

describe('power', () => {
  test.each(table.cases)(
    'the sample size of $name has the reference value',
    ({ input, expected }) => {
      const { mean, variance, relativeEffect, controlPerTest, alpha, power } = input;
      const baseline = { mean, variance, isProportion: input.proportion };
      const units = sampleSize(baseline, relativeEffect, { alpha, power }, controlPerTest);
      const rounded = {
        test: Math.ceil(units?.test ?? 0),
        control: Math.ceil(units?.control ?? 0),
      };
      const { mdeAtRounded, powerAtEffect, ...sizes } = expected;
      expectGolden(
        {
          testUnits: units?.test,
          controlUnits: units?.control,
          testUnitsRounded: rounded.test,
          controlUnitsRounded: rounded.control,
        },
        sizes,
      );
      if (mdeAtRounded === null) return;
      expectGolden(minimumDetectableEffect(baseline, rounded, { alpha, power }), mdeAtRounded);
      expectGolden(units && powerOf(baseline, relativeEffect, alpha, units), powerAtEffect);
    },
  );

  const baseline = { mean: 0.1, variance: 0.09, isProportion: true };
  const design = { alpha: 0.05, power: 0.8 };

  test('a sequential test needs more units, and its power with them is the planned one', () => {
    const mixing = mixingVariance(0.05, 20_000);
    const fixed = sampleSize(baseline, 0.1, design, 1);
    const sequential = sequentialSampleSize(baseline, 0.1, design, 1, mixing);
    expect(sequential?.test).toBeGreaterThan(fixed?.test ?? 0);
    expect(sequential?.control).toBe(sequential?.test);
  });

  test('there is no sample size without an effect, or for rates outside 0 to 1', () => {
    expect(sampleSize(baseline, 0, design, 1)).toBeNull();
    expect(sampleSize({ ...baseline, mean: 0 }, 0.1, design, 1)).toBeNull();
    expect(sampleSize(baseline, 20, design, 1)).toBeNull();
    expect(sequentialSampleSize(baseline, 0, design, 1, 0.001)).toBeNull();
    expect(
      minimumDetectableEffect({ mean: 0, variance: 1 }, { test: 9, control: 9 }, design),
    ).toBeNull();
  });

  test('the reverse power of a result depends on its standard error, not on its change', () => {
    expect(reversePower(1, 50, 1.959963984540054)).toBeCloseTo(2 * 2.8015852, 6);
    expect(reversePower(1, 0, 1.96)).toBeNull();
  });
});
