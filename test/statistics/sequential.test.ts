import { expect, test } from 'vitest';
import {
  mixingVariance,
  sequentialCriticalValue,
  sequentialPValue,
} from '../../src/engine/statistics/sequential.ts';
import { cohensD, sprtOf } from '../../src/engine/statistics/sprt.ts';
import sequential from './golden/sequential.json';
import sprt from './golden/sprt.json';
import { expectGolden } from './golden.ts';

test.each(sequential.cases)(
  'the always-valid test of $name has the values of the mixture',
  (row) => {
    const { z, units, tuningUnits, designAlpha, alpha } = row.input;
    const mixing = mixingVariance(designAlpha, tuningUnits);
    const actual = {
      rho: Math.sqrt(mixing),
      criticalValue: sequentialCriticalValue(units, mixing, alpha),
      pValue: sequentialPValue(z, units, mixing),
    };
    expectGolden(actual, row.expected);
  },
);

test('the always-valid p-value is at most α exactly if the interval excludes 0', () => {
  const mixing = mixingVariance(0.05, 5000);
  for (const units of [10, 100, 5000, 1_000_000])
    for (const alpha of [0.2, 0.05, 0.001]) {
      const critical = sequentialCriticalValue(units, mixing, alpha) ?? 0;
      expect(sequentialPValue(critical * 1.000001, units, mixing)).toBeLessThan(alpha);
      expect(sequentialPValue(critical * 0.999999, units, mixing)).toBeGreaterThan(alpha);
    }
});

test('an always-valid test of no units has no results', () => {
  expect(sequentialCriticalValue(0, 0.01, 0.05)).toBeNull();
  expect(sequentialPValue(1, 0, 0.01)).toBeNull();
});

test.each(sprt.cases)('the likelihood ratio of $input is the reference value', (row) => {
  expectGolden(sprtOf(row.input), row.expected);
});

test('the effect of a likelihood ratio test needs a mean and a spread', () => {
  expect(cohensD(0.05, 20, 2500)).toBeCloseTo(0.02, 12);
  expect(cohensD(0.05, 0, 2500)).toBeNull();
  expect(cohensD(0.05, 20, 0)).toBeNull();
});
