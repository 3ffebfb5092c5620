import { distinct } from '../../base/distinct.ts';
import { anchorKey } from '../../base/naming.ts';
import { memberOf } from '../../base/value_types.ts';
import { bucketsOfImported } from '../../experiments/experiments/imported_buckets.ts';
import type { Experiment } from '../../experiments/experiments/schema.ts';
import { experiments } from '../../experiments/experiments/table.ts';
import { members } from '../../experiments/holdouts/membership.ts';
import { holdouts } from '../../experiments/holdouts/table.ts';
import type { Entity } from '../../platform/store/core/entity.ts';
import type { Transaction } from '../../platform/store/core/transaction.ts';
import { type Acceptable, type Arrival, anchorOf } from './arrival.ts';

interface Known {
  readonly here: ReadonlyMap<string, Entity>;
  readonly ends: ReadonlyMap<string, unknown>;
}

type ExperimentArrival = Acceptable & { entity: Experiment };

const isExperiment = (arrival: Arrival): arrival is ExperimentArrival =>
  arrival.portable.kind.kind === experiments.kind && arrival.entity !== undefined;

const arrivalKey = (arrival: Arrival): string => anchorKey(anchorOf(arrival));

const withMore = (arrival: Acceptable, more: object): Acceptable => ({
  ...arrival,
  entity: Object.assign({}, arrival.entity, more),
});

async function withPlacedBuckets(
  tx: Transaction,
  arrivals: readonly Arrival[],
  { here, ends }: Known,
): Promise<Arrival[]> {
  const arriving = arrivals.flatMap((arrival): [Experiment, string][] => {
    if (!isExperiment(arrival)) return [];
    const anchor = arrivalKey(arrival);
    const isLeft = here.has(anchor) || (ends.has(anchor) && !arrival.entity.allocatedBuckets);
    return isLeft ? [] : [[arrival.entity, `${arrival.place}.`]];
  });
  const buckets = await bucketsOfImported(tx, new Map(arriving));
  return arrivals.map((arrival) => {
    if (!isExperiment(arrival) || 'allocatedBuckets' in arrival.entity) return arrival;
    const existing = memberOf(here.get(arrivalKey(arrival)), 'allocatedBuckets');
    const allocatedBuckets = existing ?? buckets.get(arrival.entity.id);
    return allocatedBuckets ? withMore(arrival, { allocatedBuckets }) : arrival;
  });
}

const memberPairs = (holdout: Entity): string[] =>
  members.flatMap(({ property, kind }) =>
    [memberOf(holdout, property) ?? []]
      .flat()
      .map((id) => `${anchorKey({ kind: kind.kind, id: String(id) })} ${holdout.id}`),
  );

/** Keeps only the holdouts of an arrival that list it, in the import or here: membership is stored on both sides. */
function withHoldouts(arrivals: readonly Arrival[], { here, ends }: Known): Arrival[] {
  const coming = arrivals.flatMap(({ portable, entity }) =>
    portable.kind.kind === holdouts.kind && entity ? [entity] : [],
  );
  const listed = new Set(coming.flatMap(memberPairs));
  return arrivals.map((arrival) => {
    const anchor = arrivalKey(arrival);
    const given = memberOf(arrival.entity, 'holdoutIDs');
    if (arrival.refusal || !Array.isArray(given) || ends.has(anchor)) return arrival;
    const existing = memberOf(here.get(anchor), 'holdoutIDs');
    const there = new Set(Array.isArray(existing) ? existing : []);
    const isIn = (id: string) => there.has(id) || listed.has(`${anchor} ${id}`);
    return withMore(arrival, { holdoutIDs: distinct<string>(given).filter(isIn) });
  });
}

/** Completes arrivals by related entities. @throws Problem 400 if an imported bucket is in use */
export const completeArrivals = (tx: Transaction, arrivals: readonly Arrival[], known: Known) =>
  withPlacedBuckets(tx, withHoldouts(arrivals, known), known);
