import { getTableColumns, max, sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, unionAll } from 'drizzle-orm/sqlite-core';
import { type Order, type Page, type PageRequest, pageOf, reading } from '../../store/pages.ts';
import { overRows, remembered, valuesOf } from '../../store/rows.ts';
import { compile, query, type Statement } from '../../store/statement.ts';
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
  },
  (table) => [
    index('events_time').on(table.timestamp),
    check('events_json', sql`json_valid(metadata)`),
  ],
);

const record = overRows((given) =>
  query
    .insert(eventTable)
    .select(
      sql`${valuesOf(eventTable, given, { seq: sql`null` })} order by value->>'timestamp', key`,
    ),
);

/** The statements that record the events of one call, in the order of their own time. */
export const recordEvents = (events: Event[]): Statement[] => record(events);

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

const pages = remembered<(values: Record<string, unknown>) => Statement<EventRow>>();

/** The rows of a page; there is one query for each side that a page can begin from. */
const rowsOf = (request: PageRequest) =>
  pages(request.position?.side ?? 'first', () => {
    const { apart, orderBy } = reading(newest, request);
    const [first, second] = apart.map((condition) =>
      query.select(getTableColumns(eventTable)).from(eventTable).where(condition).$dynamic(),
    );
    if (!first) throw new Error('a page has rows to read');
    return compile(
      (second ? unionAll(first, second) : first)
        .orderBy(...orderBy)
        .limit(sql.placeholder('limit'))
        .offset(sql.placeholder('offset')),
    );
  });

/** Reads a page of events, newest first by their own time, in one round trip. */
export async function listEvents(tx: Reads, request: PageRequest): Promise<Page<EventRow>> {
  const { page, limit, position } = request;
  const values = { limit: limit + 1, offset: position ? 0 : (page - 1) * limit };
  const [rows, [counted]] = await tx.read(
    rowsOf(request)({ ...values, ...reading(newest, request).values }),
    howMany(),
  );
  const positionOf = ({ timestamp, seq }: EventRow) => ({ key: timestamp, id: seq });
  return pageOf(request, rows, counted?.total ?? 0, positionOf);
}
