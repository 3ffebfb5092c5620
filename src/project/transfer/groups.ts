import { anchorKey } from '../../base/naming.ts';
import { sumOf } from '../../base/numbers.ts';
import { recordOf } from '../../base/value_types.ts';
import { strongGroups } from '../../engine/evaluation/strong_groups.ts';
import { byteLength } from '../../platform/store/sql/rows.ts';
import { type Arrival, anchorOf } from './arrival.ts';

/** The maximum size of a group, unless more entities need each other. A batch has each entity about three times. */
const maxGroup = { entities: 1000, bytes: 2_000_000 };

const arrivalBytes = (arrivals: Arrival[]) =>
  sumOf(arrivals.map(({ entity = {} }) => byteLength(JSON.stringify(entity))));

const holdoutsOf = (entity: object): string[] => {
  const { holdoutIDs } = recordOf(entity);
  return Array.isArray(holdoutIDs) ? holdoutIDs.map(String) : [];
};

function needsOf(arrivals: Arrival[]): number[][] {
  const places = new Map<string, number>();
  arrivals.forEach((arrival, index) => {
    const { portable, entity } = arrival;
    if (!entity) return;
    for (const anchor of [anchorOf(arrival), ...portable.kind.refs.parts(entity)])
      places.set(anchorKey(anchor), index);
  });
  return arrivals.map(({ portable: { kind }, entity }) => {
    if (!entity) return [];
    const holdouts = holdoutsOf(entity).map((id) => ({ kind: 'holdout', id }));
    return [...kind.refs.outgoing(entity), ...holdouts].flatMap(
      (to) => places.get(anchorKey(to)) ?? [],
    );
  });
}

/** Returns groups of parts to store in turn: references after their targets, mutual references together. */
export function arrivalGroups(arrivals: Arrival[], all: boolean): Arrival[][][] {
  const sorted = strongGroups(needsOf(arrivals)).map((indexes) =>
    indexes.flatMap((index) => arrivals[index] ?? []),
  );
  if (all) return [[sorted.flat()]];
  const groups: Arrival[][][] = [];
  let room = { entities: 0, bytes: 0 };
  for (const members of sorted) {
    const bytes = arrivalBytes(members);
    if (members.length > room.entities || bytes > room.bytes) {
      groups.push([]);
      room = { ...maxGroup };
    }
    groups.at(-1)?.push(members);
    room.entities -= members.length;
    room.bytes -= bytes;
  }
  return groups;
}
