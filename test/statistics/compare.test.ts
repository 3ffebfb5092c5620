import { describe, expect, test } from 'vitest';
import { chanceToBeat, expectedLoss, posteriorOf } from '../../src/engine/statistics/bayesian.ts';
import { compare } from '../../src/engine/statistics/compare.ts';
import {
  absoluteInterval,
  criticalValue,
  relativeInterval,
} from '../../src/engine/statistics/intervals.ts';
import { momentsOf, noMoments } from '../../src/engine/statistics/moments.ts';
import { isDenominatorStable, linearized } from '../../src/engine/statistics/ratio.ts';
import {
  mixingVariance,
  sequentialCriticalValue,
  sequentialPValue,
} from '../../src/engine/statistics/sequential.ts';
import cuped from './golden/cuped.json';
import edges from './golden/edges.json';
import gbstats from './golden/gbstats.json';
import ratio from './golden/ratio.json';
import relative from './golden/relative.json';
import welch from './golden/welch.json';
import { expectGolden, momentsFrom } from './golden.ts';

const pairs = (y: readonly number[], other: readonly number[], name: 'd' | 'x') =>
  momentsOf(y.map((value, unit) => ({ y: value, [name]: other[unit] ?? 0 })));

describe('the comparison of means', () => {
  test.each(welch.cases)(
    "equals R's t.test for $name",
    ({ moments, input, expected, tolerance }) => {
      const comparison = compare(momentsFrom(moments.control), momentsFrom(moments.test));
      expectGolden(
        { ...comparison, df: comparison.degreesOfFreedom },
        withoutIntervals(expected),
        tolerance,
      );
      for (const { level, lower, upper, halfWidth } of expected.intervals) {
        const actual = absoluteInterval(comparison, criticalValue(comparison, 1 - level));
        const interval = { delta: halfWidth, interval: { lower, upper } };
        expectGolden(actual, interval, tolerance, `${level}`);
      }
      if (input.control && input.test) {
        const units = (values: readonly number[]) => momentsOf(values.map((y) => ({ y })));
        const { pValue } = compare(units(input.control), units(input.test));
        expectGolden(pValue, expected.pValue, Math.max(tolerance ?? 0, 1e-9));
      }
    },
  );

  test.each(edges.cases)('has no inference for $name, and a reason', ({ input, expected }) => {
    const comparison = compare(momentsFrom(input.control), momentsFrom(input.test));
    const { interval } = absoluteInterval(comparison, criticalValue(comparison, 0.05));
    expectGolden({ ...comparison, interval }, expected);
  });

  test('has no inference for values that are constant except for rounding', () => {
    const constant = (values: number) =>
      momentsOf(Array.from({ length: values }, () => ({ y: 0.1 })));
    const noisy = (values: number) => ({ ...constant(values), yy: 1e-33 });
    expect(compare(noisy(10), noisy(12)).reason).toBe('zero_variance');
  });
});

const withoutIntervals = ({ intervals, ...expected }: (typeof welch.cases)[number]['expected']) =>
  expected;

describe('the relative change', () => {
  test.each(relative.cases)('has the interval of Fieller for $name', (row) => {
    const comparison = compare(momentsFrom(row.input.control), momentsFrom(row.input.test));
    for (const { level, ...expected } of row.expected) {
      const critical = criticalValue(comparison, 1 - level);
      const { percentChange, delta, interval, reason } = relativeInterval(comparison, critical);
      const actual = {
        criticalValue: critical,
        g: expected.g,
        percentChange,
        deltaHalfWidth: delta,
        fiellerLower: interval?.lower ?? null,
        fiellerUpper: interval?.upper ?? null,
      };
      expectGolden(actual, expected, row.tolerance, `${level}`);
      expect(reason).toBe(expected.fiellerLower === null ? 'baseline_near_zero' : null);
    }
  });

  test('is null for a control mean of 0', () => {
    const zero = { ...noMoments, n: 10, yy: 9 };
    const comparison = compare(zero, { ...zero, meanY: 1 });
    expect(relativeInterval(comparison, 2)).toEqual({
      percentChange: null,
      delta: null,
      interval: null,
      reason: 'baseline_near_zero',
    });
  });
});

describe('the comparison of ratios', () => {
  const groupOf = (numerator: readonly number[], denominator: readonly number[]) =>
    momentsOf(
      numerator.map((y, unit) => ({ y, d: denominator[unit] ?? 0 })).filter(({ d }) => d !== 0),
    );

  test.each(ratio.cases)(
    'has the variance of the delta method for $name',
    ({ input, expected }) => {
      const control = groupOf(input.controlNumerator, input.controlDenominator);
      const treated = groupOf(input.testNumerator, input.testDenominator);
      const comparison = compare(control, treated, { isRatio: true });
      const critical = criticalValue(comparison, 0.05);
      const { interval } = absoluteInterval(comparison, critical);
      const percent = relativeInterval(comparison, critical);
      const group = (moments: typeof control) => {
        const values = linearized(moments);
        return {
          units: moments.n,
          value: values?.meanY,
          varianceOfValue: values && values.yy / (values.n - 1) / values.n,
          meanNumerator: moments.meanY,
          meanDenominator: moments.meanD,
          varNumerator: moments.yy / (moments.n - 1),
          varDenominator: moments.dd / (moments.n - 1),
          covariance: moments.yd / (moments.n - 1),
        };
      };
      const actual = {
        ...comparison,
        control: group(control),
        test: group(treated),
        df: comparison.degreesOfFreedom,
        lower95: interval?.lower,
        upper95: interval?.upper,
        relative95: {
          level: 0.95,
          criticalValue: critical,
          g: expected.relative95.g,
          percentChange: percent.percentChange,
          deltaHalfWidth: percent.delta,
          fiellerLower: percent.interval?.lower,
          fiellerUpper: percent.interval?.upper,
        },
      };
      expectGolden(actual, expected);
    },
  );

  test('has no inference if the denominators of a group add up to 0', () => {
    const group = groupOf([1, 2, 3], [1, 1, 2]);
    const comparison = compare(group, { ...group, meanD: 0 }, { isRatio: true });
    expect(comparison).toMatchObject({ testMean: null, pValue: null, reason: 'zero_denominator' });
  });

  test('is unstable if the interval of a mean denominator contains 0', () => {
    expect(isDenominatorStable(groupOf([1, 2, 3], [1, 1, 2]), 2)).toBe(true);
    expect(isDenominatorStable(groupOf([1, 2, 3], [9, -8, 2]), 2)).toBe(false);
  });
});

describe('the adjustment by the values before the exposure', () => {
  test.each(cuped.cases)("equals R's lm for $name", ({ input, expected }) => {
    const control = pairs(input.controlY, input.controlX, 'x');
    const treated = pairs(input.testY, input.testX, 'x');
    const comparison = compare(control, treated, { withCuped: true });
    const plain = compare(control, treated);
    const critical = criticalValue(comparison, 0.05);
    const { interval } = absoluteInterval(comparison, critical);
    const percent = relativeInterval(comparison, critical);
    const actual = {
      ...comparison,
      ...comparison.cuped,
      testMeanAdjusted: comparison.testMean,
      df: comparison.degreesOfFreedom,
      lower95: interval?.lower,
      upper95: interval?.upper,
      varianceUnadjusted: (plain.standardError ?? 0) ** 2,
      varianceRatio: 1 - (comparison.cuped?.varianceReduction ?? 0),
      percentChange: percent.percentChange,
      deltaHalfWidth95: percent.delta,
      fiellerLower95: percent.interval?.lower,
      fiellerUpper95: percent.interval?.upper,
    };
    expectGolden(actual, expected);
  });

  const past = (values: readonly number[]) => pairs([1, 4, 2, 8], values, 'x');
  const withCuped = true;

  test('does not apply without a past, without a gain, and if the past explains everything', () => {
    const reasonOf = (control: number[], treated: number[]) =>
      compare(past(control), past(treated), { withCuped }).cuped;
    const none = { applied: false, theta: null, varianceReduction: null };
    expect(reasonOf([3, 3, 3, 3], [3, 3, 3, 3])).toEqual({ ...none, reason: 'no_past' });
    expect(reasonOf([1, 1, -1, -1], [-1, 1, 1, -1])?.applied).toBe(true);
    expect(reasonOf([1, 4, 2, 8], [1, 4, 2, 8])).toEqual({ ...none, reason: 'zero_variance' });
    const unrelated = { ...past([1, 0, 0, 1]), yx: 0 };
    expect(compare(unrelated, unrelated, { withCuped }).cuped).toEqual({
      ...none,
      reason: 'no_gain',
    });
  });

  test('adjusts ratios by their linearized values', () => {
    const units = [4, 9, 2, 7, 5, 1].map((y, unit) => ({
      y,
      d: 1 + (unit % 3),
      x: y + (unit % 2),
      m: 2 + (unit % 2),
    }));
    const control = momentsOf(units);
    const treated = momentsOf(units.map((unit) => ({ ...unit, y: unit.y + 1 })));
    const linear = (group: typeof units) => {
      const sum = (name: 'y' | 'd' | 'x' | 'm') => group.reduce((all, unit) => all + unit[name], 0);
      const [r, before] = [sum('y') / sum('d'), sum('x') / sum('m')];
      const [meanD, meanM] = [sum('d') / group.length, sum('m') / group.length];
      return momentsOf(
        group.map(({ y, d, x, m }) => ({
          y: r + (y - r * d) / meanD,
          x: before + (x - before * m) / meanM,
        })),
      );
    };
    const expected = compare(
      linear(units),
      linear(units.map((unit) => ({ ...unit, y: unit.y + 1 }))),
      {
        withCuped,
      },
    );
    const { estimates, ...actual } = compare(control, treated, { isRatio: true, withCuped });
    expectGolden(actual, { ...expected, estimates: undefined }, 1e-12);
    expect(actual.cuped?.applied).toBe(true);
  });
});

describe('another engine', () => {
  test.each(gbstats.cases)('gives the same results for $name', ({ input, expected }) => {
    const momentsOfSums = ({ n, sum, sumSquares }: (typeof input)['control']) => ({
      ...noMoments,
      n,
      meanY: sum / n,
      yy: sumSquares - (sum * sum) / n,
    });
    const comparison = compare(momentsOfSums(input.control), momentsOfSums(input.test));
    const { interval } = absoluteInterval(comparison, criticalValue(comparison, 0.05));
    const percent = relativeInterval(comparison, 1);
    const units = input.control.n + input.test.n;
    const mixing = mixingVariance(0.05, expected.sequentialTuningUnits);
    const always = absoluteInterval(comparison, sequentialCriticalValue(units, mixing, 0.05));
    const posterior = posteriorOf(comparison, null);
    if (!posterior) throw new Error('no posterior');
    const losses = expectedLoss(posterior, 'increase');
    const actual = {
      absoluteChange: comparison.absoluteChange,
      standardError: comparison.standardError,
      pValue: comparison.pValue,
      lower95: interval?.lower,
      upper95: interval?.upper,
      percentChange: percent.percentChange,
      percentStandardErrorDelta: percent.delta,
      sequentialTuningUnits: expected.sequentialTuningUnits,
      sequentialPValue: sequentialPValue(comparison.t ?? 0, units, mixing),
      sequentialLower95: always.interval?.lower,
      sequentialUpper95: always.interval?.upper,
      chanceToBeat: chanceToBeat(posterior, 'increase'),
      expectedLossTest: losses.test,
      expectedLossControl: losses.control,
    };
    expectGolden(actual, expected, 1e-8);
  });
});
