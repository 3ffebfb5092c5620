import {
  check,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core';
import { json } from '../../platform/store/sql/columns.ts';
import { holdJSON } from '../../platform/store/sql/expressions.ts';
import { senders } from '../exposures/senders.ts';
import type { Event } from './schema.ts';

/** Append-only: rows are never removed, so the highest `seq` is the number of events. Times in epoch milliseconds. */
export const eventTable = sqliteTable(
  'events',
  {
    seq: integer().primaryKey(),
    timestamp: integer().notNull(),
    name: text().notNull(),
    source: text().notNull(),
    value: text().notNull(),
    userID: text().notNull(),
    metadata: json<Event['metadata']>(),
    unitIDs: json<Event['unitIDs']>().default({}),
    sender: text({ enum: senders }).notNull().default('unknown'),
    eventID: text(),
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
    unitType: text().notNull(),
    unitID: text().notNull(),
    name: text().notNull(),
    timestamp: integer().notNull(),
    seq: integer().notNull(),
    number: real(),
  },
  (table) => [
    primaryKey({
      columns: [table.unitType, table.unitID, table.name, table.timestamp, table.seq],
    }),
  ],
);

/** The identity of each event that must not be stored again; see `identity.ts`. */
export const eventIdentities = sqliteTable('event_identities', { hash: text().primaryKey() });
