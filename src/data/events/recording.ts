import { sql } from 'drizzle-orm';
import { numberOf } from '../../base/numbers.ts';
import type { Database } from '../../platform/store/sql/database.ts';
import { overRows } from '../../platform/store/sql/rows.ts';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';
import type { Sender } from '../exposures/senders.ts';
import type { Event } from './schema.ts';
import { idsByType } from './unit_ids.ts';

/** An event in stored form, with its sender and identity. */
export interface RecordedEvent extends Event {
  readonly sender: Sender;
  readonly eventID: string | null;
  /** The key of `event_identities`; null for an event that is always new. */
  readonly identity: string | null;
}

const insertEvents = overRows((given) =>
  statement(sql`
    insert into events
      (seq, timestamp, name, source, value, userID, metadata, unitIDs, sender, eventID)
    select null, value->>'timestamp', value->>'name', value->>'source', value->>'value',
      value->>'userID', value->'metadata', value->'unitIDs', value->>'sender', value->>'eventID'
    from ${given} where true
    order by value->>'timestamp', key`),
);

const countByName = overRows((given) =>
  statement(sql`
    insert into totals (kind, facet, a, b, c, count, hidden)
    select 'events', 'name', value->>'name', '', '', count(*), 0
    from ${given} where true
    group by value->>'name'
    on conflict (kind, facet, a, b, c) do update set count = count + excluded.count`),
);

export const eventTotals = {
  kind: 'events',
  recount: [
    statement(sql`delete from totals where kind = 'events'`),
    statement(sql`
      insert into totals (kind, facet, a, b, c, count, hidden)
      select 'events', 'name', name, '', '', count(*), 0 from events group by name`),
  ],
};

/** `later` is the number of events after this one in the batch, so the event number follows from the newest. */
const recordUnits = overRows((given) =>
  statement(sql`
    insert into event_units (unitType, unitID, name, timestamp, seq, number)
    select value->>'unitType', value->>'unitID', value->>'name', value->>'timestamp',
      (select max(seq) from events) - (value->>'later'), value->>'number'
    from ${given}`),
);

/** Fails if an event was stored after it was looked up, so that the batch is computed again. */
const insertIdentities = overRows((given) =>
  statement(sql`insert into event_identities (hash) select value->>'identity' from ${given}`),
);

/** Returns one row for each unit of an event, without the event number. */
function eventUnits({ userID, unitIDs, name, timestamp, value }: Event) {
  const ids = new Map(idsByType(userID, unitIDs));
  const number = numberOf(value.trim()) ?? null;
  return [...ids].map(([unitType, unitID]) => ({ unitType, unitID, name, timestamp, number }));
}

const readStored = statement<{ hash: string }>(sql`
  select hash from json_each(${sql.placeholder('identities')}) as given
  cross join event_identities on hash = given.value`);

/** Returns the events that are not stored yet, each once, in at most one round trip. */
export async function unstored(
  read: Database['read'],
  events: readonly RecordedEvent[],
): Promise<RecordedEvent[]> {
  const identities = identitiesOf(events);
  const [found] =
    identities.length > 0
      ? await read(readStored({ identities: JSON.stringify(identities) }))
      : [[]];
  const known = new Set(found.map(({ hash }) => hash));
  return events.filter(({ identity }) => {
    if (identity === null) return true;
    const isNew = !known.has(identity);
    known.add(identity);
    return isNew;
  });
}

/** Returns the identities of events that have one. */
export const identitiesOf = (events: readonly RecordedEvent[]): string[] =>
  events.flatMap(({ identity }) => identity ?? []);

/**
 * Returns statements that record events with totals and units; they fail if one is stored already. See
 * docs/contract/evaluation.md#75-log_event-rgstr.
 */
export function recordEvents(events: readonly RecordedEvent[]): Statement[] {
  const inOrder = events.toSorted((a, b) => a.timestamp - b.timestamp);
  const units = inOrder.flatMap((event, index) => {
    const later = inOrder.length - 1 - index;
    return eventUnits(event).map((unit) => ({ ...unit, later }));
  });
  const identities = identitiesOf(inOrder).map((identity) => ({ identity }));
  return [
    ...insertIdentities(identities),
    ...insertEvents(inOrder),
    ...countByName(inOrder.map(({ name }) => ({ name }))),
    ...recordUnits(units),
  ];
}
