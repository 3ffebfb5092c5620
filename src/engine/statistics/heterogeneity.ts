import { sumOf } from '../../base/numbers.ts';
import { chiSquareUpperTail } from './distributions.ts';
import { finite } from './finite.ts';

export interface SliceChange {
  change: number;
  standardError: number;
}

/**
 * Returns how likely independent changes differ this much by chance: Cochran's Q (1954), the squared distances from
 * their mean weighted by precision, has a chi-square distribution with one degree of freedom less than changes. Null
 * below two changes with a standard error above 0.
 */
export function heterogeneityPValue(changes: readonly SliceChange[]): number | null {
  const known = changes.filter(({ standardError }) => standardError > 0);
  if (known.length < 2) return null;
  // Relative to the smallest error, so that squares neither overflow nor vanish.
  const smallest = Math.min(...known.map(({ standardError }) => standardError));
  const weights = known.map(({ standardError }) => (smallest / standardError) ** 2);
  const scaled = known.map(({ change }) => change / smallest);
  const products = scaled.map((change, place) => change * (weights[place] ?? 0));
  const mean = sumOf(products) / sumOf(weights);
  const q = sumOf(scaled.map((change, place) => (weights[place] ?? 0) * (change - mean) ** 2));
  return finite(q) === null ? null : chiSquareUpperTail(q, known.length - 1);
}
