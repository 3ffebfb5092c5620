import { and, eq, inArray, sql } from 'drizzle-orm';
import { Problem } from '../../../base/problem.ts';
import { allocate, bucketCount } from '../../../engine/evaluation/buckets.ts';
import { bucketsOf, inOrderOfStart } from '../../../engine/evaluation/compile/placement.ts';
import type { Kind } from '../../../platform/store/core/kind.ts';
import type { Transaction } from '../../../platform/store/core/transaction.ts';
import { columnOf } from '../../../platform/store/sql/columns.ts';
import { valuesIn } from '../../../platform/store/sql/expressions.ts';
import type { SQLCondition } from '../../../platform/store/sql/statement.ts';
import type { Experiment } from '../schema.ts';

const hasActiveStatus = (experiment: Experiment | undefined) => experiment?.status === 'active';

export const activeOn = (
  { table }: Kind<Experiment>,
  layerIDs: readonly (string | null)[],
): SQLCondition => ({
  name: 'active on layers',
  where: and(
    inArray(columnOf(table, 'layerID'), valuesIn(sql.placeholder('layerIDs'))),
    eq(columnOf(table, 'status'), 'active'),
  ),
  values: { layerIDs: JSON.stringify(layerIDs) },
});

/** Returns the id of the experiment that holds each bucket, for the active experiments of a layer. */
export const holdersAmong = (active: readonly Experiment[]): Map<number, string> =>
  new Map(
    [...bucketsOf(inOrderOfStart(active))].flatMap(([id, buckets]) =>
      buckets.map((bucket) => [bucket, id] as const),
    ),
  );

/** If another experiment of the layer starts or grows before the commit, the request is computed again. */
async function holdersOfOthers(tx: Transaction, experiments: Kind<Experiment>, after: Experiment) {
  const { id, layerID } = after;
  if (!layerID) return new Map<number, string>();
  const isOnSameLayer = (other: Experiment) => hasActiveStatus(other) && other.layerID === layerID;
  const active = await tx.findAll(experiments, activeOn(experiments, [layerID]), isOnSameLayer);
  return holdersAmong(active.filter((other) => other.id !== id));
}

const inPercent = (buckets: number) => (100 * buckets) / bucketCount;

function refuseBuckets(
  { allocation, layerID }: Experiment,
  conflict: string | undefined,
  free: number,
) {
  const message = conflict
    ? `The experiment requests buckets of the layer ${layerID} that the experiment ${conflict} holds.`
    : `The experiment needs ${allocation}% of the layer ${layerID}, but only ${inPercent(free)}% is free.`;
  throw new Problem('transition', message);
}

/** Gives an experiment buckets; none overlap in a layer. @throws Problem 409 naming a holder or the free share */
export async function withBuckets(
  tx: Transaction,
  experiments: Kind<Experiment>,
  before: Experiment | undefined,
  wanted: Experiment,
): Promise<Experiment> {
  const { allocatedBuckets: requested = [], ...after } = wanted;
  if (!hasActiveStatus(after)) return after;
  const own = before?.allocatedBuckets;
  // The other inputs are locked while the experiment is active.
  if (hasActiveStatus(before) && before?.allocation === after.allocation)
    return own ? { ...after, allocatedBuckets: own } : after;
  const holders = await holdersOfOthers(tx, experiments, after);
  const kept = (own ?? requested).filter((bucket) => !holders.has(bucket));
  const { buckets, conflicts, lacking } = allocate(after, kept, new Set(holders.keys()));
  if (lacking > 0)
    refuseBuckets(after, holders.get(conflicts[0] ?? -1), bucketCount - holders.size);
  return { ...after, allocatedBuckets: buckets };
}
