import { count, eq, max, type SQL } from 'drizzle-orm';
import { numberOf } from '../../shared/numbers.ts';
import {
  always,
  constant,
  givenOrder,
  grown,
  minus,
  numbering,
  property,
  qualified,
} from '../../store/sql/expressions.ts';
import { overRows, primaryKeyOf, valuesOf } from '../../store/sql/rows.ts';
import { compile, query, type Statement } from '../../store/sql/statement.ts';
import { totals } from '../../store/sql/tables.ts';
import type { Event } from './schema.ts';
import { eventTable, eventUnits } from './table.ts';
import { idsByType } from './unit_ids.ts';

const insertEvents = overRows((given) =>
  query
    .insert(eventTable)
    .select(
      valuesOf(eventTable, given, { seq: numbering }).orderBy(property('timestamp'), givenOrder),
    ),
);

const countsOf = (events: SQL | typeof eventTable, name: SQL.Aliased<string>) =>
  query
    .select({
      kind: constant('events').as('kind'),
      facet: constant('name').as('facet'),
      a: name,
      b: constant('').as('b'),
      c: constant('').as('c'),
      count: count().as('count'),
      hidden: constant(0).as('hidden'),
    })
    .from(events)
    .where(always)
    .groupBy(name.sql);

const countByName = overRows((given) =>
  query
    .insert(totals)
    .select(countsOf(given, property<string>('name').as('a')))
    .onConflictDoUpdate({
      target: primaryKeyOf(totals),
      set: { count: grown(totals.count) },
    }),
);

/** The statements that rebuild the totals of events. */
export const eventTotals = {
  kind: 'events',
  recount: [
    compile(query.delete(totals).where(eq(totals.kind, 'events'))),
    compile(query.insert(totals).select(countsOf(eventTable, qualified(eventTable.name).as('a')))),
  ],
};

const newest = query.select({ seq: max(eventTable.seq) }).from(eventTable);

/** `later` is the number of events after this one in the batch, so the event number follows from the newest. */
const recordUnits = overRows((given) =>
  query
    .insert(eventUnits)
    .select(valuesOf(eventUnits, given, { seq: minus(newest, property('later')) })),
);

/** Returns one row for each unit of an event, without the event number. */
export function unitsOf({ userID, unitIDs, name, timestamp, value }: Event) {
  const ids = new Map(idsByType(userID, unitIDs));
  const number = numberOf(value.trim()) ?? null;
  return [...ids].map(([unitType, unitID]) => ({ unitType, unitID, name, timestamp, number }));
}

const inTimeOrder = <E extends Event>(events: readonly E[]): E[] =>
  events.toSorted((a, b) => a.timestamp - b.timestamp);

/**
 * Returns the statements that record events, their totals by name, and a row for each unit. See
 * docs/contract/evaluation.md#75-log_event-rgstr.
 */
export function recordEvents(events: readonly Event[]): Statement[] {
  const inOrder = inTimeOrder(events);
  const units = inOrder.flatMap((event, index) => {
    const later = inOrder.length - 1 - index;
    return unitsOf(event).map((unit) => ({ ...unit, later }));
  });
  return [...insertEvents(inOrder), ...countByName(inOrder), ...recordUnits(units)];
}
