import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { json } from '../../store/sql/columns.ts';
import { holdJSON } from '../../store/sql/expressions.ts';

/** The units seen in each group, each once; `start` separates the runs of an experiment. */
export const exposures = sqliteTable(
  'exposures',
  {
    kind: text().notNull(),
    id: text().notNull(),
    /** The start of the run or of the rule's current form; epoch milliseconds. */
    start: integer().notNull(),
    unitType: text().notNull(),
    unit: text().notNull(),
    group: text().notNull(),
    /** The first time that the unit was seen, by the clock of the reporter; epoch milliseconds. */
    firstTime: integer().notNull(),
    /** A number below 10,000 that is independent of the assignment. */
    draw: integer().notNull(),
    /** Only the fields of the user that the entity names. */
    attributes: json<Record<string, unknown>>(),
  },
  (table) => [
    primaryKey({
      columns: [table.kind, table.id, table.start, table.unitType, table.unit, table.group],
    }),
    check('exposures_json', holdJSON('attributes')),
  ],
);

/** The empty group name counts the rejected reports of a run. */
export const leftOut = '';

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

/** The checks of each entity by hour, and the times of its last results. */
export const checks = sqliteTable(
  'checks',
  {
    kind: text().notNull(),
    id: text().notNull(),
    /** Hours since 1970. */
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
