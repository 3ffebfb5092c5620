import { and, eq, getTableColumns, max, sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  unionAll,
} from 'drizzle-orm/sqlite-core';
import { type Order, type Page, type PageRequest, pageOf, reading } from '../../store/pages.ts';
import { overRows, remembered, valuesOf } from '../../store/rows.ts';
import { compile, query, type Statement } from '../../store/statement.ts';
import { totals } from '../../store/tables.ts';
import type { Reads } from '../../store/terms.ts';
import type { Event } from './schema.ts';

/** Recorded events: append-only and never removed, so that `seq` is dense from 1 and says how many there are. */
export const eventTable = sqliteTable(
  'events',
  {
    seq: integer().primaryKey(),
    /** Epoch milliseconds. */
    timestamp: integer().notNull(),
    name: text().notNull(),
    source: text().notNull(),
    value: text().notNull(),
    userID: text().notNull(),
    metadata: text({ mode: 'json' }).$type<Event['metadata']>().notNull(),
    /** The other ids of who it is of, by their types; not answered. */
    unitIDs: text({ mode: 'json' }).$type<Record<string, string>>().notNull().default({}),
  },
  (table) => [
    index('events_time').on(table.timestamp),
    index('events_name').on(table.name, table.timestamp),
    check('events_json', sql`json_valid(metadata)`),
    check('events_unitIDs_json', sql`json_valid(unitIDs)`),
  ],
);

/** The events of each unit, which results are computed from. */
export const eventUnits = sqliteTable(
  'event_units',
  {
    unitType: text().notNull(),
    unitID: text().notNull(),
    name: text().notNull(),
    /** Epoch milliseconds. */
    timestamp: integer().notNull(),
    /** That of the event. */
    seq: integer().notNull(),
    /** Its value, where that is a number. */
    number: real(),
  },
  (table) => [
    primaryKey({
      columns: [table.unitType, table.unitID, table.name, table.timestamp, table.seq],
    }),
  ],
);

const record = overRows((given) =>
  query
    .insert(eventTable)
    .select(
      sql`${valuesOf(eventTable, given, { seq: sql`null` })} order by value->>'timestamp', key`,
    ),
);

/** Counts given events by their names. */
const countByName = overRows((given) =>
  query
    .insert(totals)
    .select(
      sql`select 'events', 'name', value->>'name', '', '', count(*), 0 from ${given}
          where true group by value->>'name'`,
    )
    .onConflictDoUpdate({
      target: [totals.kind, totals.facet, totals.a, totals.b, totals.c],
      set: { count: sql`count + excluded.count` },
    }),
);

/** What the scheduler needs to count the events of each name again. */
export const countedEvents = {
  kind: 'events',
  recount: [
    compile(query.delete(totals).where(eq(totals.kind, 'events'))),
    compile(
      query
        .insert(totals)
        .select(
          sql`select 'events', 'name', name, '', '', count(*), 0 from ${eventTable} group by name`,
        ),
    ),
  ],
};

const recordUnits = overRows((given) =>
  query.insert(eventUnits).select(
    sql`${valuesOf(eventUnits, given, {
      seq: sql`(select max(seq) from ${eventTable}) - (value->>'later')`,
    })} where true`,
  ),
);

/** The units of an event; `later` counts the events behind it, by which its number is known once all are there. */
function unitsOf({ userID, unitIDs, name, timestamp, value }: Event, later: number) {
  const ids = Object.entries({ ...unitIDs, ...(userID && { userID }) });
  const number = value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : null;
  return ids.map(([unitType, unitID]) => ({ unitType, unitID, name, timestamp, number, later }));
}

/**
 * The statements that record the events of one call, in the order of their own time: themselves, how many there are of
 * each name, and a row for each unit of each, by which results are computed (evaluation, section 7.5).
 */
export function recordEvents(events: readonly Event[]): Statement[] {
  const inOrder = [...events].sort((a, b) => a.timestamp - b.timestamp);
  const units = inOrder.flatMap((event, index) => unitsOf(event, inOrder.length - 1 - index));
  return [...record(inOrder), ...countByName(inOrder), ...recordUnits(units)];
}

/** A row of the table. */
export type EventRow = typeof eventTable.$inferSelect;

const newest: Order = {
  key: sql`${eventTable.timestamp}`,
  keyFalls: true,
  id: sql`${eventTable.seq}`,
  idFalls: true,
  positions: { key: 'number', id: 'number' },
};

const howMany = compile(query.select({ total: max(eventTable.seq).as('total') }).from(eventTable));

const howManyOf = compile(
  query
    .select({ total: sql<number>`count`.as('total') })
    .from(totals)
    .where(
      and(
        eq(totals.kind, 'events'),
        eq(totals.facet, 'name'),
        eq(totals.a, sql.placeholder('name')),
      ),
    ),
);

const pages = remembered<(values: Record<string, unknown>) => Statement<EventRow>>();

/** The rows of a page; there is one query for each side that a page can begin from, of all names and of one. */
const rowsOf = (request: PageRequest, name: string | undefined) =>
  pages(`${request.position?.side} ${name !== undefined}`, () => {
    const named = name === undefined ? undefined : eq(eventTable.name, sql.placeholder('name'));
    const { apart, orderBy } = reading(newest, request);
    const [first, second] = apart.map((condition) =>
      query
        .select(getTableColumns(eventTable))
        .from(eventTable)
        .where(and(named, condition))
        .$dynamic(),
    );
    if (!first) throw new Error('a page has rows to read');
    return compile(
      (second ? unionAll(first, second) : first)
        .orderBy(...orderBy)
        .limit(sql.placeholder('limit'))
        .offset(sql.placeholder('offset')),
    );
  });

/** Reads a page of events, of all names or of one, newest first by their own time, in one round trip. */
export async function listEvents(
  tx: Reads,
  request: PageRequest,
  name?: string,
): Promise<Page<EventRow>> {
  const { page, limit, position } = request;
  const values = { name, limit: limit + 1, offset: position ? 0 : (page - 1) * limit };
  const [rows, [counted]] = await tx.read(
    rowsOf(request, name)({ ...values, ...reading(newest, request).values }),
    name === undefined ? howMany() : howManyOf({ name }),
  );
  const positionOf = ({ timestamp, seq }: EventRow) => ({ key: timestamp, id: seq });
  return pageOf(request, rows, counted?.total ?? 0, positionOf);
}
