import { anchorKey } from '../../shared/naming.ts';
import { sumOf } from '../../shared/numbers.ts';
import { strongGroups } from '../../shared/strong_groups.ts';
import { byteLength } from '../../store/sql/rows.ts';
import { type Arrival, anchorOf } from './arrival.ts';

/**
 * How many entities are stored at once, and bytes of them, unless more of them need each other. A batch has each entity
 * about three times: its row, its first version and the properties of that.
 */
const together = { entities: 1000, bytes: 2_000_000 };

const bytesOf = (arrivals: Arrival[]) =>
  sumOf(arrivals.map(({ entity = {} }) => byteLength(JSON.stringify(entity))));

/** The holdouts that an entity says it is in. */
const holdoutsOf = (entity: object): string[] => {
  const { holdoutIDs } = Object(entity);
  return Array.isArray(holdoutIDs) ? holdoutIDs.map(String) : [];
};

/** For each arrival, the places of those that it refers to, or that must come with it. */
function needsOf(arrivals: Arrival[]): number[][] {
  const places = new Map<string, number>();
  arrivals.forEach((arrival, index) => {
    const { portable, entity } = arrival;
    if (!entity) return;
    for (const anchor of [anchorOf(arrival), ...portable.kind.parts(entity)])
      places.set(anchorKey(anchor), index);
  });
  return arrivals.map(({ portable: { kind }, entity }) => {
    if (!entity) return [];
    const holdouts = holdoutsOf(entity).map((id) => ({ kind: 'holdout', id }));
    return [...kind.references(entity), ...holdouts].flatMap(
      (to) => places.get(anchorKey(to)) ?? [],
    );
  });
}

/**
 * Puts what is referred to before what refers to it, and what refers to each other together.
 * @param all whether all are one group, however many they are, or none
 * @returns groups, each of parts that could be stored one after the other
 */
export function groupsOf(arrivals: Arrival[], all: boolean): Arrival[][][] {
  const inTurn = strongGroups(needsOf(arrivals)).map((indexes) =>
    indexes.flatMap((index) => arrivals[index] ?? []),
  );
  if (all) return [[inTurn.flat()]];
  const groups: Arrival[][][] = [];
  let room = { entities: 0, bytes: 0 };
  for (const members of inTurn) {
    const bytes = bytesOf(members);
    if (members.length > room.entities || bytes > room.bytes) {
      groups.push([]);
      room = { ...together };
    }
    groups.at(-1)?.push(members);
    room.entities -= members.length;
    room.bytes -= bytes;
  }
  return groups;
}
