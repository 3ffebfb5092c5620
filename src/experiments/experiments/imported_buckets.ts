import { Problem } from '../../base/problem.ts';
import { allocate } from '../../engine/evaluation/buckets.ts';
import { inOrderOfStart } from '../../engine/evaluation/compile/placement.ts';
import type { Transaction } from '../../platform/store/core/transaction.ts';
import { activeOn, holdersAmong } from './lifecycle/allocation.ts';
import type { Experiment } from './schema.ts';
import { experiments } from './table.ts';

const isOnLayer = ({ status, layerID }: Experiment) => status === 'active' && Boolean(layerID);

const refuseImport = (origin: string, property: string, why: string) => {
  throw Problem.property(`${origin}${property}`, why).from(origin);
};

function bucketsFor(
  experiment: Experiment,
  holders: ReadonlyMap<number, string>,
  origin: string,
): readonly number[] {
  const { allocatedBuckets, layerID } = experiment;
  const { buckets, lacking } = allocatedBuckets
    ? { buckets: allocatedBuckets, lacking: 0 }
    : allocate(experiment, [], new Set(holders.keys()));
  const isOther = (holder?: string) => holder !== undefined && holder !== experiment.id;
  const holder = buckets.map((bucket) => holders.get(bucket)).find(isOther);
  if (holder)
    refuseImport(
      origin,
      'allocatedBuckets',
      `must not contain buckets of the layer ${layerID} that ${holder} holds`,
    );
  if (lacking > 0)
    refuseImport(
      origin,
      'layerID',
      `must name a layer with enough free buckets; other experiments hold too many of ${layerID}`,
    );
  return buckets;
}

/** Returns given or free buckets for imported active experiments. @throws Problem 400 for a held bucket, or too few. */
export async function bucketsOfImported(
  tx: Transaction,
  origins: ReadonlyMap<Experiment, string>,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const arriving = Map.groupBy([...origins.keys()].filter(isOnLayer), ({ layerID }) => layerID);
  const assigned = new Map<string, readonly number[]>();
  if (arriving.size === 0) return assigned;
  const isOnSameLayer = (other: Experiment) => isOnLayer(other) && arriving.has(other.layerID);
  const existing = await tx.findAll(
    experiments,
    activeOn(experiments, [...arriving.keys()]),
    isOnSameLayer,
  );
  for (const [layerID, imported] of arriving) {
    const holders = holdersAmong(existing.filter((other) => other.layerID === layerID));
    const hasBuckets = ({ allocatedBuckets }: Experiment) => allocatedBuckets !== undefined;
    const [withBuckets, withoutBuckets] = [
      imported.filter(hasBuckets),
      imported.filter((each) => !hasBuckets(each)),
    ];
    for (const experiment of [...withBuckets, ...inOrderOfStart(withoutBuckets)]) {
      if (assigned.has(experiment.id)) continue; // a duplicate in the request
      const buckets = bucketsFor(experiment, holders, origins.get(experiment) ?? '');
      for (const bucket of buckets) holders.set(bucket, experiment.id);
      assigned.set(experiment.id, buckets);
    }
  }
  return assigned;
}
