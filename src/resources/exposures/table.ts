import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { json } from '../../store/sql/columns.ts';
import { holdJSON } from '../../store/sql/expressions.ts';

/** Which units were seen in which group, each once; `start` keeps the runs of one experiment apart. */
export const exposures = sqliteTable(
  'exposures',
  {
    kind: text().notNull(),
    id: text().notNull(),
    /** When the run, or what the group is drawn by, began; epoch milliseconds. */
    start: integer().notNull(),
    unitType: text().notNull(),
    unit: text().notNull(),
    group: text().notNull(),
    /** When the unit was first seen there, by the clock of who saw it; epoch milliseconds. */
    firstTime: integer().notNull(),
    /** A number of 10,000 that has nothing to do with the assignment. */
    draw: integer().notNull(),
    /** The fields of the user that the entity asks for, and no others. */
    attributes: json<Record<string, unknown>>(),
  },
  (table) => [
    primaryKey({
      columns: [table.kind, table.id, table.start, table.unitType, table.unit, table.group],
    }),
    check('exposures_json', holdJSON('attributes')),
  ],
);

/** The name of no group: its row counts the reports of a run that were not stored, as they could not be true. */
export const leftOut = '';

/** How many units were seen in each group. */
export const exposureCounts = sqliteTable(
  'exposure_counts',
  {
    kind: text().notNull(),
    id: text().notNull(),
    start: integer().notNull(),
    group: text().notNull(),
    units: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id, table.start, table.group] })],
);

/** How often each entity was asked for, hour by hour, and when it last passed and failed. */
export const checks = sqliteTable(
  'checks',
  {
    kind: text().notNull(),
    id: text().notNull(),
    /** The hour that `count` is of, in hours since 1970. */
    hour: integer().notNull(),
    count: integer().notNull(),
    /** The count of the hour before. */
    previous: integer().notNull(),
    /** Epoch milliseconds; null for never. */
    lastTrue: integer(),
    lastFalse: integer(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id] })],
);

export type Exposure = typeof exposures.$inferInsert;
export type Check = typeof checks.$inferInsert;
