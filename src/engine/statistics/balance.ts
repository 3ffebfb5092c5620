import { sumOf } from '../../base/numbers.ts';
import { chiSquareUpperTail, logGamma } from './distributions.ts';
import { finite } from './finite.ts';

export interface Balance {
  statistic: number;
  degreesOfFreedom: number;
  pValue: number;
  logBayesFactor: number;
  /** A p-value that holds at all looks at once. */
  alwaysValidPValue: number;
}

/**
 * Returns how likely counts are by planned shares: Pearson's chi-square test, and the sequential test of Lindon and
 * Malek (2022) with a uniform Dirichlet prior. Null below two groups of a share above 0, or without units.
 */
export function balanceOf(counts: readonly number[], shares: readonly number[]): Balance | null {
  const groups = counts
    .map((count, place) => ({ count, share: shares[place] ?? 0 }))
    .filter(({ share }) => share > 0);
  const whole = sumOf(groups.map(({ share }) => share));
  const units = sumOf(groups.map(({ count }) => count));
  const k = groups.length;
  if (k < 2 || units === 0) return null;
  const statistic = sumOf(
    groups.map(({ count, share }) => {
      const expected = units * (share / whole);
      return (count - expected) * ((count - expected) / expected);
    }),
  );
  const terms = groups.map(
    ({ count, share }) => logGamma(1 + count) - count * Math.log(share / whole),
  );
  const logBayesFactor = logGamma(k) - logGamma(k + units) + sumOf(terms);
  if (finite(statistic) === null || finite(logBayesFactor) === null) return null;
  return {
    statistic,
    degreesOfFreedom: k - 1,
    pValue: chiSquareUpperTail(statistic, k - 1),
    logBayesFactor,
    alwaysValidPValue: Math.min(1, Math.exp(-logBayesFactor)),
  };
}
