import { type SQL, sql } from 'drizzle-orm';
import { Problem } from '../../problem.ts';
import { lastOfEach } from '../../shared/distinct.ts';
import { classify, type Database } from '../../store/sql/database.ts';
import { constant, eachOf, failing, field, oneRow } from '../../store/sql/expressions.ts';
import { jsonArrays } from '../../store/sql/rows.ts';
import { compile, query, type Statement } from '../../store/sql/statement.ts';
import { recordEvents, unitsOf } from './recording.ts';
import type { Event } from './schema.ts';
import { eventTable, eventUnits } from './table.ts';

/** An event as an SDK delivers it. */
export interface DeliveredEvent extends Event {
  /** Whether it carried its time, by which it is recognized. */
  readonly isTimed: boolean;
}

/** How many stored events a delivery is compared with: it bounds what is read, however many have one unit, name and time. */
const maxCompared = sql.raw('20000');

/** Tries to store a delivery while others store the same events: of those that overlap, one gets through at each. */
const maxTries = 10;

const newest = sql<number>`(select coalesce(max(seq), 0) from ${eventTable})`;

/** Whether a stored event equals the given one in all that does not lead to it. */
const isEqual = sql`(stored.value = given.value->>'value' and stored."userID" = given.value->>'userID'
  and stored.metadata = given.value->'metadata' and stored."unitIDs" = given.value->'unitIDs')`;

const [rows, seen] = [sql.placeholder('rows'), sql.placeholder('seen')];

const given = sql`${eachOf(rows)} as given`;

/** A given event with each stored one of its unit, name and time. The joins are written in the order of the loops. */
const joinedByUnit = sql`${given}
  cross join ${eventUnits} as own on own."unitType" = given.value->>'unitType'
    and own."unitID" = given.value->>'unitID' and own.name = given.value->>'name'
    and own.timestamp = given.value->>'timestamp'
  cross join ${eventTable} as stored on stored.seq = own.seq`;

/** The same for events without a unit, by name and time. */
const joinedByName = sql`${given}
  cross join ${eventTable} as stored on stored.name = given.value->>'name'
    and stored.timestamp = given.value->>'timestamp'`;

const lookupBy = (joined: SQL, seq: SQL) => ({
  /** Reads which given events were compared, by their places, and whether they are stored. */
  read: compile(
    query.select({ place: field<number>('place'), isStored: field<number>('isStored') }).from(
      sql`(select given.value->>'place' as place, ${isEqual} as "isStored" from ${joined}
          limit ${maxCompared})`,
    ),
  ),
  /** Fails, as a conflict, if any given event was stored after the newest one that was `seen`. */
  refuse: compile(
    query
      .select({ failure: failing(constant('conflict')).as('failure') })
      .from(oneRow)
      // By iif, as SQLite may take the conditions of an `and` in any order.
      .where(
        sql`iif(${newest} > ${seen},
          exists (select 1 from ${joined} where ${seq} > ${seen} and ${isEqual}), false)`,
      ),
  ),
});

/** How events with a unit are looked up, and those without one. */
const lookups = {
  unit: lookupBy(joinedByUnit, sql`own.seq`),
  name: lookupBy(joinedByName, sql`stored.seq`),
};

const readNewest = compile(query.select({ seq: newest.as('seq') }).from(oneRow));

const identityOf = ({ name, timestamp, value, userID, unitIDs, metadata }: Event) => [
  ...[name, timestamp, value, userID, unitIDs, metadata],
];

/** An event with its place in the delivery, and the unit by which it is looked up. */
const toGiven = (event: DeliveredEvent, place: number) => {
  const [{ unitType, unitID } = {}] = unitsOf(event);
  return { ...event, place, unitType, unitID };
};

type Given = ReturnType<typeof toGiven>;

/** The events that can be recognized, each once. */
const timedOf = (events: readonly DeliveredEvent[]) =>
  lastOfEach(
    events.filter(({ isTimed }) => isTimed),
    identityOf,
  ).map(toGiven);

/** Each lookup that some events need, with these as JSON. */
function lookupsOf(events: readonly Given[]) {
  const [withUnit, without] = [true, false].map((has) =>
    jsonArrays(events.filter(({ unitType }) => (unitType !== undefined) === has)),
  );
  return [
    ...(withUnit ?? []).map((rows) => ({ ...lookups.unit, rows })),
    ...(without ?? []).map((rows) => ({ ...lookups.name, rows })),
  ];
}

/** Those of some events that are not stored, and the statements that fail if that has changed. */
async function newOf(db: Database, events: readonly Given[]) {
  if (events.length === 0) return { fresh: [], guards: [] };
  const reads = lookupsOf(events).map(({ read, rows }) => read({ rows }));
  const [[last], ...found] = await db.batch(readNewest(), ...reads);
  const stored = new Set(found.flat().flatMap(({ place, isStored }) => (isStored ? [place] : [])));
  const fresh = events.filter(({ place }) => !stored.has(place));
  const guards = lookupsOf(fresh).map(({ refuse, rows }) => refuse({ rows, seen: last?.seq ?? 0 }));
  return { fresh, guards };
}

/**
 * Stores events of a delivery together with other statements. One that carries a time is known by its name, time, units,
 * value and metadata, and stored once: SDKs send a batch again, alone or merged into a newer one. One without a time is
 * always new. Takes two trips, or one without any time; another two if an equal event is stored in between.
 * @throws Problem 503 if that goes on
 */
export async function storeDelivered(
  db: Database,
  events: readonly DeliveredEvent[],
  others: readonly Statement[],
): Promise<void> {
  const timed = timedOf(events);
  const untimed = events.filter(({ isTimed }) => !isTimed);
  for (let tries = 1; ; tries++) {
    const { fresh, guards } = await newOf(db, timed);
    const statements = [...others, ...recordEvents([...fresh, ...untimed])];
    if (statements.length === 0) return;
    try {
      await db.batch(...guards, ...statements);
      return;
    } catch (error) {
      if (classify(error) !== 'conflict') throw error;
      if (tries === maxTries)
        throw Problem.unavailable('Other deliveries have the same events; nothing was stored.');
    }
  }
}
