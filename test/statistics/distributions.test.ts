import { describe, expect, test } from 'vitest';
import * as distributions from '../../src/engine/statistics/distributions.ts';
import table from './golden/special_functions.json';
import { expectGolden } from './golden.ts';

const functions = new Map<string, (...values: number[]) => number>(
  Object.entries({
    normalCdf: distributions.normalCdf,
    normalQuantile: distributions.normalQuantile,
    studentUpperTail: distributions.studentUpperTail,
    studentQuantile: distributions.studentQuantile,
    chiSquareUpperTail: distributions.chiSquareUpperTail,
    betaCdf: distributions.betaCdf,
    gammaCdf: distributions.gammaCdf,
    betaQuantile: distributions.betaQuantile,
    logGamma: distributions.logGamma,
  }),
);

/** The tolerance of the table: wider for the beta and gamma functions with large parameters. */
const toleranceOf = (name: string, parameters: readonly number[]) =>
  /^(beta|gamma)Cdf$/.test(name) && parameters.some((value) => value > 500) ? 1e-11 : 1e-12;

describe('the distribution functions', () => {
  test('the table of reference values is whole', () => {
    expect(table.cases).toHaveLength(168);
  });

  test.each(table.cases)('$function of $arguments equals its value of 25 digits', (row) => {
    const name = row.function.replace(/\(.*/, '');
    const actual = functions.get(name)?.(...row.arguments);
    expectGolden(actual, Number(row.expected), toleranceOf(name, row.arguments));
  });

  test('the quantiles of Student and of the normal distribution are exact in the far lower tail', () => {
    const quantile = -distributions.studentQuantile(1e-9, 20);
    expectGolden(distributions.studentUpperTail(quantile, 20), 1e-9, 1e-12);
    expectGolden(-distributions.normalQuantile(1e-9 / 2), 6.109410204869, 1e-12);
  });
});
