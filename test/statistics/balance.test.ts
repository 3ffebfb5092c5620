import { expect, test } from 'vitest';
import { balanceOf } from '../../src/engine/statistics/balance.ts';
import table from './golden/srm.json';
import { expectGolden } from './golden.ts';

test.each(table.cases)('the balance of $name has the reference values', ({ input, expected }) => {
  const { logBayesFactor, alwaysValidPValue, ...pearson } = expected;
  const balance = balanceOf(input.observed, input.sizes);
  expectGolden({ ...balance, df: balance?.degreesOfFreedom }, pearson);
  expectGolden(balance, { logBayesFactor, alwaysValidPValue }, 1e-7);
});

test('the balance leaves out groups of share 0, and needs two groups with units', () => {
  expect(balanceOf([10, 12, 5], [50, 50, 0])).toEqual(balanceOf([10, 12], [50, 50]));
  expect(balanceOf([7], [100])).toBeNull();
  expect(balanceOf([0, 0], [50, 50])).toBeNull();
});
