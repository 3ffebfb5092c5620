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

const record = overRows((given) =>
  query
    .insert(eventTable)
    .select(
      valuesOf(eventTable, given, { seq: numbering }).orderBy(property('timestamp'), givenOrder),
    ),
);

/** The number of events of each name. */
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

/** The statements with which the scheduler counts the events of each name again. */
export const countedEvents = {
  kind: 'events',
  recount: [
    compile(query.delete(totals).where(eq(totals.kind, 'events'))),
    compile(query.insert(totals).select(countsOf(eventTable, qualified(eventTable.name).as('a')))),
  ],
};

const newest = query.select({ seq: max(eventTable.seq) }).from(eventTable);

/** Numbers are counted back from the newest event. */
const recordUnits = overRows((given) =>
  query
    .insert(eventUnits)
    .select(valuesOf(eventUnits, given, { seq: minus(newest, property('later')) })),
);

/** Returns the unit rows of an event, without its number. */
export function unitsOf({ userID, unitIDs, name, timestamp, value }: Event) {
  const ids = Object.entries({ ...(userID && { userID }), ...unitIDs });
  const number = numberOf(value.trim()) ?? null;
  return ids.map(([unitType, unitID]) => ({ unitType, unitID, name, timestamp, number }));
}

const inTimeOrder = <E extends Event>(events: readonly E[]): E[] =>
  events.toSorted((a, b) => a.timestamp - b.timestamp);

/**
 * Returns the statements that record events in the order of their own time: the events, the totals of their names,
 * and one row for each unit. See docs/contract/evaluation.md#75-log_event-rgstr.
 */
export function recordEvents(events: readonly Event[]): Statement[] {
  const inOrder = inTimeOrder(events);
  const units = inOrder.flatMap((event, index) => {
    const later = inOrder.length - 1 - index; // by which its number is known once all are stored
    return unitsOf(event).map((unit) => ({ ...unit, later }));
  });
  return [...record(inOrder), ...countByName(inOrder), ...recordUnits(units)];
}
