import { sql } from 'drizzle-orm';
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

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
