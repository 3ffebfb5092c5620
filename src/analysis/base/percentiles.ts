import { noMoments } from '../../engine/statistics/moments.ts';
import {
  boundRanks,
  type ClusterSums,
  type Percentile,
  standardErrorOfPercentile,
  standardErrorOfShare,
} from '../../engine/statistics/percentile.ts';
import { rankAt } from '../../engine/statistics/ranks.ts';
import type { Cell } from './cells.ts';
import { allUnits } from './exposures.ts';

export interface Cluster {
  sums: ClusterSums;
  value: number | null;
  lower: number | null;
  upper: number | null;
}

export type Clusters = Record<string, Cluster>;

const noSums: ClusterSums = { units: 0, s: 0, n: 0, ss: 0, sn: 0, nn: 0 };

export const noCluster: Cluster = { sums: noSums, value: null, lower: null, upper: null };

/** Adds a unit with `n` events; `s` of them are at most the percentile's value. */
export const withUnit = ({ units, ...sums }: ClusterSums, s: number, n: number): ClusterSums =>
  n === 0
    ? { units, ...sums }
    : {
        units: units + 1,
        s: sums.s + s,
        n: sums.n + n,
        ss: sums.ss + s * s,
        sn: sums.sn + s * n,
        nn: sums.nn + n * n,
      };

/** Returns the rank of the percentile p among the events of a group; undefined without events. */
export const valueRank = ({ sums }: Cluster, p: number): number | undefined =>
  sums.n > 0 ? rankAt(p, sums.n) : undefined;

/** Returns the ranks of the values that bound the percentile p; null if there are too few events. */
export const ranksOf = ({ sums }: Cluster, p: number) =>
  boundRanks(p, standardErrorOfShare(sums), sums.n);

function noPercentileReason({ sums, lower, upper }: Cluster): Percentile['reason'] {
  if (sums.n === 0) return 'no_units';
  if (lower === null || upper === null) return 'too_few_events';
  return lower < upper ? null : 'zero_variance';
}

/** Returns the percentile of a group as its cell. */
export function percentileCell(group: string, cluster: Cluster): Cell {
  const { sums, value, lower, upper } = cluster;
  const reason = noPercentileReason(cluster);
  const percentile: Percentile = {
    events: sums.n,
    units: sums.units,
    value,
    shareAtValue: sums.n > 0 ? sums.s / sums.n : null,
    standardErrorOfShare: standardErrorOfShare(sums),
    lower,
    upper,
    standardError:
      reason === null && lower !== null && upper !== null
        ? standardErrorOfPercentile(lower, upper)
        : null,
    reason,
  };
  return {
    ...{ ...allUnits, group },
    moments: { ...noMoments, n: sums.units },
    largest: { y: null, d: null },
    skipped: 0,
    percentile,
  };
}
