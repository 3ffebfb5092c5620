import { allocate } from '../../evaluation/buckets.ts';
import { inOrderOfStart } from '../../evaluation/compile/placement.ts';
import { Problem } from '../../problem.ts';
import type { Transaction } from '../../store/core/transaction.ts';
import { activeOn, holdersAmong } from './allocation.ts';
import type { Experiment } from './schema.ts';
import { experiments } from './table.ts';

const isOnLayer = ({ status, layerID }: Experiment) => status === 'active' && Boolean(layerID);

const refuse = (origin: string, property: string, why: string) => {
  throw Problem.property(`${origin}${property}`, why).from(origin);
};

/** The imported buckets of an experiment, or else free ones. */
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
    refuse(origin, 'allocatedBuckets', `has some of the layer ${layerID} that ${holder} holds`);
  if (lacking > 0) refuse(origin, 'layerID', `names ${layerID}, of which others hold too much`);
  return buckets;
}

/**
 * Allocates buckets to imported active experiments: their own, or free ones permanently, because assignment must not
 * depend on other experiments. See docs/contract/evaluation.md#54-experiment.
 * @param origins the place of each experiment in the request
 * @returns the buckets of each experiment, by ID
 * @throws Problem 400 if another experiment holds a bucket, or too few are free
 */
export async function bucketsOfArriving(
  tx: Transaction,
  origins: ReadonlyMap<Experiment, string>,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const arriving = Map.groupBy([...origins.keys()].filter(isOnLayer), ({ layerID }) => layerID);
  const given = new Map<string, readonly number[]>();
  if (arriving.size === 0) return given;
  const isBeside = (other: Experiment) => isOnLayer(other) && arriving.has(other.layerID);
  const here = await tx.findAll(experiments, activeOn(experiments, [...arriving.keys()]), isBeside);
  for (const [layerID, some] of arriving) {
    const holders = holdersAmong(here.filter((other) => other.layerID === layerID));
    const brings = ({ allocatedBuckets }: Experiment) => allocatedBuckets !== undefined;
    const [bringing, others] = [some.filter(brings), some.filter((each) => !brings(each))];
    for (const experiment of [...bringing, ...inOrderOfStart(others)]) {
      if (given.has(experiment.id)) continue; // it comes twice
      const buckets = bucketsFor(experiment, holders, origins.get(experiment) ?? '');
      for (const bucket of buckets) holders.set(bucket, experiment.id);
      given.set(experiment.id, buckets);
    }
  }
  return given;
}
