import { anchorKey } from '../../shared/naming.ts';
import type { Entity } from '../../store/columns.ts';
import type { Transaction } from '../../store/terms.ts';
import { bucketsOfArriving } from '../experiments/arriving.ts';
import type { Experiment } from '../experiments/schema.ts';
import { experiments } from '../experiments/table.ts';
import { members } from '../holdouts/membership.ts';
import { holdouts } from '../holdouts/table.ts';
import type { Arrival } from './arrival.ts';

/**
 * Gives the experiments among arrivals the buckets of their layers, which lists do not tell.
 * @param here what is here already, by its anchor: that keeps what it has
 * @throws Problem 400 where another here holds them
 */
export async function withBuckets(
  tx: Transaction,
  arrivals: readonly Arrival[],
  here: ReadonlyMap<string, Entity>,
): Promise<Arrival[]> {
  const { kind } = experiments;
  const arriving = arrivals.flatMap(({ portable, entity, place }): [Experiment, string][] =>
    portable.kind.kind === kind && entity && !here.has(anchorKey({ kind, id: entity.id }))
      ? [[Object(entity), `${place}.`]]
      : [],
  );
  const buckets = await bucketsOfArriving(tx, new Map(arriving));
  return arrivals.map((arrival) => {
    const { portable, entity } = arrival;
    const allocatedBuckets = entity && buckets.get(entity.id);
    if (portable.kind.kind !== kind || !allocatedBuckets) return arrival;
    return { ...arrival, entity: Object.assign({}, entity, { allocatedBuckets }) };
  });
}

/** Each member that a holdout lists, with it. */
const listedBy = (holdout: Entity): string[] =>
  members.flatMap(({ property, kind }) =>
    [Object(holdout)[property] ?? []].flat().map((id) => `${kind.kind} ${id} ${holdout.id}`),
  );

/**
 * Arrivals in those holdouts alone that come along and list them: what a holdout lists, and what its members say, are one
 * fact, and a holdout that is here lists none that is not.
 */
export function inTheirHoldouts(
  arrivals: readonly Arrival[],
  here: ReadonlyMap<string, Entity>,
): Arrival[] {
  const coming = arrivals.flatMap(({ portable, entity }) =>
    portable.kind.kind === holdouts.kind && entity ? [entity] : [],
  );
  const listed = new Set(coming.flatMap(listedBy));
  return arrivals.map((arrival) => {
    const { portable, entity } = arrival;
    const { kind } = portable.kind;
    const { holdoutIDs: said } = Object(entity);
    if (!entity || !said || here.has(anchorKey({ kind, id: entity.id }))) return arrival;
    const isListed = (holdoutID: string) => listed.has(`${kind} ${entity.id} ${holdoutID}`);
    return { ...arrival, entity: Object.assign({}, entity, { holdoutIDs: said.filter(isListed) }) };
  });
}
