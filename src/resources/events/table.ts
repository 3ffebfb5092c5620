import {
  check,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core';
import { json } from '../../store/sql/columns.ts';
import { holdJSON } from '../../store/sql/expressions.ts';
import type { Event } from './schema.ts';

/** Append-only: rows are never removed, so the highest `seq` is the number of events. */
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
    metadata: json<Event['metadata']>(),
    /** Unit IDs other than `userID`, by unit type; not in responses. */
    unitIDs: json<Event['unitIDs']>().default({}),
  },
  (table) => [
    index('events_time').on(table.timestamp),
    index('events_name').on(table.name, table.timestamp),
    check('events_json', holdJSON('metadata')),
    check('events_unitIDs_json', holdJSON('unitIDs')),
  ],
);

export const eventUnits = sqliteTable(
  'event_units',
  {
    /** In lower case. */
    unitType: text().notNull(),
    unitID: text().notNull(),
    name: text().notNull(),
    /** Epoch milliseconds. */
    timestamp: integer().notNull(),
    seq: integer().notNull(),
    /** The value, if it is a number. */
    number: real(),
  },
  (table) => [
    primaryKey({
      columns: [table.unitType, table.unitID, table.name, table.timestamp, table.seq],
    }),
  ],
);
