import { expect, test } from 'vitest';
import { compareNormal } from '../../src/engine/statistics/compare.ts';
import { absoluteInterval, criticalValue } from '../../src/engine/statistics/intervals.ts';
import { momentsOf } from '../../src/engine/statistics/moments.ts';
import { percentileOf } from '../../src/engine/statistics/percentile.ts';
import { clamped, thresholdsOf } from '../../src/engine/statistics/winsorization.ts';
import percentile from './golden/percentile.json';
import winsorization from './golden/winsorization.json';
import { expectGolden } from './golden.ts';

function byUnit(values: readonly number[], units: readonly number[]): number[][] {
  const groups = new Map<number | undefined, number[]>();
  for (const [place, value] of values.entries())
    groups.set(units[place], [...(groups.get(units[place]) ?? []), value]);
  return [...groups.values()];
}

test.each(percentile.cases)(
  'the percentiles of $name are clustered by unit',
  ({ input, expected }) => {
    const control = percentileOf(byUnit(input.controlValues, input.controlUnits), input.p);
    const treated = percentileOf(byUnit(input.testValues, input.testUnits), input.p);
    const comparison = compareNormal(
      { value: control.value ?? 0, standardError: control.standardError ?? 0 },
      { value: treated.value ?? 0, standardError: treated.standardError ?? 0 },
    );
    const { interval } = absoluteInterval(comparison, criticalValue(comparison, 0.05));
    const named = ({ lower, upper, ...group }: typeof control) => ({
      ...group,
      lowerQuantile: lower,
      upperQuantile: upper,
    });
    expectGolden(
      {
        ...comparison,
        z: comparison.t,
        control: named(control),
        test: named(treated),
        lower95: interval?.lower,
        upper95: interval?.upper,
      },
      expected,
    );
  },
);

test('a percentile of few or constant events has no standard error, and a reason', () => {
  const reasonOf = (units: number[][], p: number) => {
    const { standardError, reason } = percentileOf(units, p);
    expect(standardError).toBeNull();
    return reason;
  };
  expect(reasonOf([], 0.5)).toBe('no_units');
  expect(reasonOf([[]], 0.5)).toBe('no_units');
  expect(reasonOf([[1, 2, 3]], 0.5)).toBe('too_few_events');
  expect(
    reasonOf(
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      0.5,
    ),
  ).toBe('too_few_events');
  expect(reasonOf(Array(50).fill([7]), 0.5)).toBe('zero_variance');
});

test.each(winsorization.cases)('the values of $name are winsorized by non-zero values', (row) => {
  const { values, high, low } = row.input;
  const bounds = thresholdsOf(values, high, low);
  const treated = values.map((value) => clamped(value, bounds));
  const { meanY, yy } = momentsOf(treated.map((y) => ({ y })));
  expectGolden(
    {
      ...bounds,
      nonZero: values.filter((value) => value !== 0).length,
      values: treated,
      mean: meanY,
      variance: yy / (values.length - 1),
    },
    row.expected,
  );
});
