import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { json } from '../../store/sql/columns.ts';
import { holdJSON } from '../../store/sql/expressions.ts';

/** `start` separates the runs of one experiment. */
export const exposures = sqliteTable(
  'exposures',
  {
    kind: text().notNull(),
    id: text().notNull(),
    /** When the run or the draw of groups began; epoch milliseconds. */
    start: integer().notNull(),
    /** In lower case. */
    unitType: text().notNull(),
    unit: text().notNull(),
    group: text().notNull(),
    /**
     * When the unit was first exposed, by the clock of the reporter; epoch milliseconds. The time that counts is the
     * later of this and `start`.
     */
    firstTime: integer().notNull(),
    draw: integer().notNull(),
    /** Only the dimensions that the entity stores. */
    attributes: json<Record<string, unknown>>(),
  },
  (table) => [
    primaryKey({
      columns: [table.kind, table.id, table.start, table.unitType, table.unit, table.group],
    }),
    check('exposures_json', holdJSON('attributes')),
  ],
);

/** A group name for the count of reports that were rejected because they could not be true. */
export const rejectedReports = '';

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

export const checks = sqliteTable(
  'checks',
  {
    kind: text().notNull(),
    id: text().notNull(),
    /** The hour of `count`, in hours since 1970. */
    hour: integer().notNull(),
    count: integer().notNull(),
    previous: integer().notNull(),
    /** Epoch milliseconds; null if never. */
    lastTrue: integer(),
    lastFalse: integer(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id] })],
);

export type Exposure = typeof exposures.$inferInsert;
export type Check = typeof checks.$inferInsert;
