import { type SQL, sql } from 'drizzle-orm';
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Page, PageRequest } from '../../store/collection.ts';
import { jsonArrays } from '../../store/commit.ts';
import type { Transaction } from '../../store/transaction.ts';
import type { Event } from './schema.ts';

/** Recorded events: append-only and never removed, so that `seq` is dense from 1 and any page is found at once. */
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
    metadata: text().notNull(),
  },
  () => [check('events_json', sql`json_valid(metadata)`)],
);

const columns = sql.raw('timestamp, name, source, value, userID, metadata');

/** The statement that records the events of one call, in the order of their own time. */
export const recordEvents = (events: Event[]): SQL[] =>
  jsonArrays(events).map(
    (json) =>
      sql`insert into ${eventTable} (${columns})
          select value->>'timestamp', value->>'name', value->>'source', value->>'value',
          value->>'userID', value->'metadata'
          from json_each(${json}) order by value->>'timestamp', key`,
  );

/** A row of the table; `metadata` is JSON. */
export type EventRow = Omit<Event, 'metadata'> & { metadata: string };

/** Reads a page of events, newest recorded first; it reads the rows of that page alone, whichever it is. */
export async function listEvents(
  tx: Transaction,
  { page, limit }: PageRequest,
): Promise<Page<EventRow>> {
  const total = sql`select coalesce(max(seq), 0) as total from ${eventTable}`;
  const [counts, items] = await tx.read<[{ total: number }, EventRow]>(
    sql`${total}`,
    sql`select ${columns} from ${eventTable} where seq <= (${total}) - ${(page - 1) * limit}
        order by seq desc limit ${limit}`,
  );
  return { items, totalItems: counts[0]?.total ?? 0, page, limit };
}
