import { type SQL, sql } from 'drizzle-orm';
import { lastOfEach } from '../../base/distinct.ts';
import { Problem } from '../../base/problem.ts';
import { BatchTooLarge, classify, type Database } from '../../platform/store/sql/database.ts';
import { constant, failing } from '../../platform/store/sql/expressions.ts';
import { jsonArrays } from '../../platform/store/sql/rows.ts';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';
import { eventUnits, recordEvents } from './recording.ts';
import type { Event } from './schema.ts';

export interface DeliveredEvent extends Event {
  readonly isTimed: boolean;
}

/** Bounds the retries: each time, one of the deliveries that store equal events succeeds. */
const maxTries = 10;

/** Bounds the read rows, because many events can share a unit, name and time. */
const maxCompared = 20_000;

const newest = sql`(select coalesce(max(seq), 0) from events)`;

const isEqual = sql`(stored.value = given.value->>'value' and stored.userID = given.value->>'userID'
  and stored.metadata = given.value->'metadata' and stored.unitIDs = given.value->'unitIDs')`;

const [rows, seen] = [sql.placeholder('rows'), sql.placeholder('seen')];

/** Joins given events with stored events of their unit, name and time. The joins are in the order of SQLite loops. */
const joinedByUnit = sql`json_each(${rows}) as given
  cross join event_units as own on own.unitType = given.value->>'unitType'
    and own.unitID = given.value->>'unitID' and own.name = given.value->>'name'
    and own.timestamp = given.value->>'timestamp'
  cross join events as stored on stored.seq = own.seq`;

const joinedByName = sql`json_each(${rows}) as given
  cross join events as stored on stored.name = given.value->>'name'
    and stored.timestamp = given.value->>'timestamp'`;

const lookupBy = (joined: SQL, seq: SQL) => ({
  read: statement<{ place: number; isStored: number }>(sql`
    select given.value->>'place' as place, ${isEqual} as isStored
    from ${joined}
    limit ${constant(maxCompared)}`),
  /** Fails if a given event was stored after `seen`. By `iif`, because SQLite reorders the conditions of an `and`. */
  refuse: statement(sql`
    select ${failing(sql`'conflict'`)}
    where iif(${newest} > ${seen},
      exists (select 1 from ${joined} where ${seq} > ${seen} and ${isEqual}), false)`),
});

const lookups = {
  unit: lookupBy(joinedByUnit, sql`own.seq`),
  name: lookupBy(joinedByName, sql`stored.seq`),
};

const readNewest = statement<{ seq: number }>(sql`select ${newest} as seq`);

const eventIdentity = ({ name, timestamp, value, userID, unitIDs, metadata }: Event) => [
  ...[name, timestamp, value, userID, unitIDs, metadata],
];

const toGiven = (event: DeliveredEvent, place: number) => {
  const [{ unitType, unitID } = {}] = eventUnits(event);
  return { ...event, place, unitType, unitID };
};

type GivenEvent = ReturnType<typeof toGiven>;

const timedOf = (events: readonly DeliveredEvent[]) =>
  lastOfEach(
    events.filter(({ isTimed }) => isTimed),
    eventIdentity,
  ).map(toGiven);

function lookupsOf(events: readonly GivenEvent[]) {
  const [withUnit, without] = [true, false].map((hasUnit) =>
    jsonArrays(events.filter(({ unitType }) => (unitType !== undefined) === hasUnit)),
  );
  return [
    ...(withUnit ?? []).map((rows) => ({ ...lookups.unit, rows })),
    ...(without ?? []).map((rows) => ({ ...lookups.name, rows })),
  ];
}

async function newEvents(db: Database, events: readonly GivenEvent[]) {
  if (events.length === 0) return { fresh: [], guards: [] };
  const reads = lookupsOf(events).map(({ read, rows }) => read({ rows }));
  const [[last], ...found] = await db.batch(readNewest(), ...reads);
  const stored = new Set(found.flat().flatMap(({ place, isStored }) => (isStored ? [place] : [])));
  const fresh = events.filter(({ place }) => !stored.has(place));
  const guards = lookupsOf(fresh).map(({ refuse, rows }) => refuse({ rows, seen: last?.seq ?? 0 }));
  return { fresh, guards };
}

/** Takes two round trips, one if no event has a time, and two more for each conflict. @throws Problem 503 */
async function storeDelivered(
  db: Database,
  events: readonly DeliveredEvent[],
  others: readonly Statement[],
): Promise<void> {
  const timed = timedOf(events);
  const untimed = events.filter(({ isTimed }) => !isTimed);
  for (let tries = 1; ; tries++) {
    const { fresh, guards } = await newEvents(db, timed);
    const statements = [...others, ...recordEvents([...fresh, ...untimed])];
    if (statements.length === 0) return;
    try {
      await db.batch(...guards, ...statements);
      return;
    } catch (error) {
      if (classify(error) !== 'conflict') throw error;
      if (tries === maxTries)
        throw Problem.unavailable(
          'Other deliveries contain the same events; nothing was stored. Send the events again.',
        );
    }
  }
}

/** Stores a delivery, in parts if it is too large. If a later part fails, SDKs resend events: timed ones count once. */
export async function storeInParts(
  db: Database,
  events: readonly DeliveredEvent[],
  others: readonly Statement[],
): Promise<void> {
  try {
    await storeDelivered(db, events, others);
  } catch (error) {
    const isDivisible = events.length > 1 || (events.length > 0 && others.length > 0);
    if (!(error instanceof BatchTooLarge) || !isDivisible) throw error;
    const half = Math.ceil(events.length / 2);
    if (others.length > 0) await storeInParts(db, [], others);
    for (const part of [events.slice(0, half), events.slice(half)])
      await storeInParts(db, part, []);
  }
}
