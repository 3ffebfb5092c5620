import { distinct } from '../../shared/distinct.ts';
import { anchorKey } from '../../shared/naming.ts';
import type { Entity } from '../../store/core/entity.ts';
import type { Transaction } from '../../store/core/transaction.ts';
import { bucketsOfArriving } from '../experiments/arriving.ts';
import type { Experiment } from '../experiments/schema.ts';
import { experiments } from '../experiments/table.ts';
import { members } from '../holdouts/membership.ts';
import { holdouts } from '../holdouts/table.ts';
import { type Acceptable, type Arrival, anchorOf } from './arrival.ts';

/** What is known of what arrives, by its anchor. */
interface Known {
  /** What is here already. */
  readonly here: ReadonlyMap<string, Entity>;
  /** What comes with its history, which says how it is. */
  readonly told: ReadonlyMap<string, unknown>;
}

const keyOf = (arrival: Arrival): string => anchorKey(anchorOf(arrival));

const withMore = (arrival: Acceptable, more: object): Acceptable => ({
  ...arrival,
  entity: Object.assign({}, arrival.entity, more),
});

/** The buckets of experiments that come without any, as lists do not tell them: those that they have here, or free ones. */
async function placed(
  tx: Transaction,
  arrivals: readonly Arrival[],
  { here, told }: Known,
): Promise<Arrival[]> {
  const isExperiment = (arrival: Arrival): arrival is Acceptable =>
    arrival.portable.kind.kind === experiments.kind && arrival.entity !== undefined;
  const arriving = arrivals.flatMap((arrival): [Experiment, string][] => {
    const [anchor, experiment] = [keyOf(arrival), Object(arrival.entity)];
    const isLeft = here.has(anchor) || (told.has(anchor) && !experiment.allocatedBuckets);
    return isExperiment(arrival) && !isLeft ? [[experiment, `${arrival.place}.`]] : [];
  });
  const buckets = await bucketsOfArriving(tx, new Map(arriving));
  return arrivals.map((arrival) => {
    if (!isExperiment(arrival) || 'allocatedBuckets' in arrival.entity) return arrival;
    const there: Partial<Experiment> = Object(here.get(keyOf(arrival)));
    const allocatedBuckets = there.allocatedBuckets ?? buckets.get(arrival.entity.id);
    return allocatedBuckets ? withMore(arrival, { allocatedBuckets }) : arrival;
  });
}

/** Each member that a holdout lists, with it. */
const listedBy = (holdout: Entity): string[] =>
  members.flatMap(({ property, kind }) =>
    [Object(holdout)[property] ?? []]
      .flat()
      .map((id) => `${anchorKey({ kind: kind.kind, id })} ${holdout.id}`),
  );

/**
 * Arrivals, each only in the holdouts that come along and list it, or have it here: what a holdout lists, and what its
 * members say, are one fact.
 */
function inTheirHoldouts(arrivals: readonly Arrival[], { here, told }: Known): Arrival[] {
  const coming = arrivals.flatMap(({ portable, entity }) =>
    portable.kind.kind === holdouts.kind && entity ? [entity] : [],
  );
  const listed = new Set(coming.flatMap(listedBy));
  return arrivals.map((arrival) => {
    const [anchor, { holdoutIDs: said }] = [keyOf(arrival), Object(arrival.entity)];
    if (arrival.refusal || !said || told.has(anchor)) return arrival;
    const there = new Set(Object(here.get(anchor)).holdoutIDs);
    const isIn = (id: string) => there.has(id) || listed.has(`${anchor} ${id}`);
    return withMore(arrival, { holdoutIDs: distinct<string>(said).filter(isIn) });
  });
}

/**
 * Arrivals with what follows from others that come along, or are here.
 * @throws Problem 400 where another here holds the buckets of an experiment
 */
export const completedArrivals = (tx: Transaction, arrivals: readonly Arrival[], known: Known) =>
  placed(tx, inTheirHoldouts(arrivals, known), known);
