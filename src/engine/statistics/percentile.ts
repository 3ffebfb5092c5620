import { rankAt } from './ranks.ts';

/** Half of a 95% interval of the normal distribution, in standard deviations. */
const z = 1.959963984540054;

/** Sums over the units of a group: S counts events of a unit with at most the percentile's value, N its events. */
export interface ClusterSums {
  units: number;
  s: number;
  n: number;
  ss: number;
  sn: number;
  nn: number;
}

/** Returns the clustered standard error of a share of events (Deng, Knoblich and Lu 2018); null below two units. */
export function standardErrorOfShare({ units, s, n, ss, sn, nn }: ClusterSums): number | null {
  if (units < 2 || n === 0) return null;
  const share = s / n;
  const squares = Math.max(0, ss - 2 * share * sn + share * share * nn);
  return Math.sqrt((units / (units - 1)) * squares) / n;
}

/** Returns the places, from 1, of the values that bound the percentile p at 95%; null if there are too few events. */
export function boundRanks(
  p: number,
  errorOfShare: number | null,
  events: number,
): { lower: number; upper: number } | null {
  if (errorOfShare === null) return null;
  const [low, high] = [p - z * errorOfShare, p + z * errorOfShare];
  return low > 0 && high <= 1 ? { lower: rankAt(low, events), upper: rankAt(high, events) } : null;
}

/** Returns the standard error of a percentile from the values that bound it at 95%. */
export const standardErrorOfPercentile = (lower: number, upper: number): number =>
  upper / (2 * z) - lower / (2 * z);

export interface Percentile {
  events: number;
  units: number;
  value: number | null;
  shareAtValue: number | null;
  standardErrorOfShare: number | null;
  lower: number | null;
  upper: number | null;
  standardError: number | null;
  reason: 'no_units' | 'too_few_events' | 'zero_variance' | null;
}

function clusterSums(units: readonly (readonly number[])[], value: number): ClusterSums {
  const sums = { units: units.length, s: 0, n: 0, ss: 0, sn: 0, nn: 0 };
  for (const values of units) {
    const s = values.filter((other) => other <= value).length;
    const n = values.length;
    sums.s += s;
    sums.n += n;
    sums.ss += s * s;
    sums.sn += s * n;
    sums.nn += n * n;
  }
  return sums;
}

/** Returns the percentile p of the events of a group with its standard error, from the values of each unit. */
export function percentileOf(units: readonly (readonly number[])[], p: number): Percentile {
  const sorted = Float64Array.from(units.flat()).sort();
  const events = sorted.length;
  const at = (rank: number | undefined) => (rank === undefined ? null : (sorted[rank - 1] ?? null));
  const value = at(rankAt(p, events));
  const sums = value === null ? null : clusterSums(units, value);
  const errorOfShare = sums && standardErrorOfShare(sums);
  const ranks = boundRanks(p, errorOfShare, events);
  const [lower, upper] = [at(ranks?.lower), at(ranks?.upper)];
  const isBounded = lower !== null && upper !== null;
  const standardError = isBounded && lower < upper ? standardErrorOfPercentile(lower, upper) : null;
  return {
    events,
    units: units.length,
    value,
    shareAtValue: sums && sums.s / sums.n,
    standardErrorOfShare: errorOfShare,
    lower,
    upper,
    standardError,
    reason: reasonOf(value !== null, isBounded, standardError !== null),
  };
}

function reasonOf(hasEvents: boolean, isBounded: boolean, hasError: boolean): Percentile['reason'] {
  if (!hasEvents) return 'no_units';
  if (!isBounded) return 'too_few_events';
  return hasError ? null : 'zero_variance';
}
