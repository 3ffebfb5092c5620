import { eq, inArray, sql } from 'drizzle-orm';
import { allocate, bucketCount } from '../../evaluation/buckets.ts';
import { bucketsOf, inOrderOfStart } from '../../evaluation/compile/placement.ts';
import { Problem } from '../../problem.ts';
import type { Kind } from '../../store/core/kind.ts';
import type { Transaction } from '../../store/core/transaction.ts';
import { columnOf } from '../../store/sql/columns.ts';
import { allOf, valuesIn } from '../../store/sql/expressions.ts';
import type { Condition } from '../../store/sql/statement.ts';
import type { Experiment } from './schema.ts';

const isActive = (experiment: Experiment | undefined) => experiment?.status === 'active';

/** Selects the active experiments on some layers. */
export const activeOn = (
  { table }: Kind<Experiment>,
  layerIDs: readonly (string | null)[],
): Condition => ({
  name: 'active on layers',
  where: allOf(
    inArray(columnOf(table, 'layerID'), valuesIn(sql.placeholder('layerIDs'))),
    eq(columnOf(table, 'status'), 'active'),
  ),
  values: { layerIDs: JSON.stringify(layerIDs) },
});

/** Maps each bucket to the active experiment that holds it. */
export const holdersAmong = (active: readonly Experiment[]): Map<number, string> =>
  new Map(
    [...bucketsOf(inOrderOfStart(active))].flatMap(([id, buckets]) =>
      buckets.map((bucket) => [bucket, id] as const),
    ),
  );

/**
 * Returns the buckets of the other active experiments of the layer. If one of them starts or grows before the commit,
 * the request is computed again.
 */
async function heldBeside(tx: Transaction, experiments: Kind<Experiment>, after: Experiment) {
  const { id, layerID } = after;
  if (!layerID) return new Map<number, string>();
  const isBeside = (other: Experiment) => isActive(other) && other.layerID === layerID;
  const active = await tx.findAll(experiments, activeOn(experiments, [layerID]), isBeside);
  return holdersAmong(active.filter((other) => other.id !== id));
}

const inPercent = (buckets: number) => (100 * buckets) / bucketCount;

function refuse({ allocation, layerID }: Experiment, conflict: string | undefined, free: number) {
  const message = conflict
    ? `The experiment asks for buckets of the layer ${layerID} that the experiment ${conflict} holds.`
    : `The experiment needs ${allocation} % of the layer ${layerID}, of which ${inPercent(free)} % is free.`;
  throw new Problem('transition', message);
}

/**
 * Allocates buckets to an experiment that starts, or whose allocation changes while active. Buckets never overlap in
 * a layer, and an experiment keeps its buckets. An inactive experiment has none. See
 * docs/contract/evaluation.md#54-experiment.
 * @param before undefined for a new experiment
 * @throws Problem 409 naming the holder of a requested bucket, or the free part of the layer
 */
export async function withBuckets(
  tx: Transaction,
  experiments: Kind<Experiment>,
  before: Experiment | undefined,
  wanted: Experiment,
): Promise<Experiment> {
  const { allocatedBuckets: asked = [], ...after } = wanted;
  if (!isActive(after)) return after;
  const own = before?.allocatedBuckets;
  // Everything else that decides the buckets is locked while active.
  if (isActive(before) && before?.allocation === after.allocation)
    return own ? { ...after, allocatedBuckets: own } : after;
  const held = await heldBeside(tx, experiments, after);
  const kept = (own ?? asked).filter((bucket) => !held.has(bucket));
  const { buckets, conflicts, lacking } = allocate(after, kept, new Set(held.keys()));
  if (lacking > 0) refuse(after, held.get(conflicts[0] ?? -1), bucketCount - held.size);
  return { ...after, allocatedBuckets: buckets };
}
