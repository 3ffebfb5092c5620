import { sql } from 'drizzle-orm';
import { numberOf } from '../../base/numbers.ts';
import { overRows } from '../../platform/store/sql/rows.ts';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';
import type { Event } from './schema.ts';
import { idsByType } from './unit_ids.ts';

const insertEvents = overRows((given) =>
  statement(sql`
    insert into events (seq, timestamp, name, source, value, userID, metadata, unitIDs)
    select null, value->>'timestamp', value->>'name', value->>'source', value->>'value',
      value->>'userID', value->'metadata', value->'unitIDs'
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

/** Returns one row for each unit of an event, without the event number. */
export function eventUnits({ userID, unitIDs, name, timestamp, value }: Event) {
  const ids = new Map(idsByType(userID, unitIDs));
  const number = numberOf(value.trim()) ?? null;
  return [...ids].map(([unitType, unitID]) => ({ unitType, unitID, name, timestamp, number }));
}

const inTimeOrder = <E extends Event>(events: readonly E[]): E[] =>
  events.toSorted((a, b) => a.timestamp - b.timestamp);

/** Returns statements that record events, totals and units. See docs/contract/evaluation.md#75-log_event-rgstr. */
export function recordEvents(events: readonly Event[]): Statement[] {
  const inOrder = inTimeOrder(events);
  const units = inOrder.flatMap((event, index) => {
    const later = inOrder.length - 1 - index;
    return eventUnits(event).map((unit) => ({ ...unit, later }));
  });
  return [...insertEvents(inOrder), ...countByName(inOrder), ...recordUnits(units)];
}
