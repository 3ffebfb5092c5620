import { createHash } from 'node:crypto';
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { json } from '../../platform/store/sql/columns.ts';
import { holdJSON } from '../../platform/store/sql/expressions.ts';
import { senders } from './senders.ts';

export const analysisDraws = 10_000;

/** Returns one of 10,000 parts, independent of the assignment. Native SHA-256 is 5× faster. */
export const analysisDraw = (kind: string, id: string, unit: string): number => {
  const digest = createHash('sha256').update(`analysis.${kind}.${id}.${unit}`).digest();
  return Number(digest.readBigUInt64BE() % BigInt(analysisDraws));
};

export const exposures = sqliteTable(
  'exposures',
  {
    kind: text().notNull(),
    id: text().notNull(),
    /** When the run or the draw of groups began. Times are in epoch milliseconds, hours in hours since 1970. */
    start: integer().notNull(),
    unitType: text().notNull(),
    unit: text().notNull(),
    group: text().notNull(),
    /** When the reporter first saw the unit exposed; epoch milliseconds. The later of it and `start` counts. */
    firstTime: integer().notNull(),
    draw: integer().notNull(),
    attributes: json<Record<string, unknown>>(),
    sender: text({ enum: senders }).notNull().default('unknown'),
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
    hour: integer().notNull(),
    count: integer().notNull(),
    previous: integer().notNull(),
    lastTrue: integer(),
    lastFalse: integer(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id] })],
);

export type Exposure = typeof exposures.$inferSelect;
export type Check = typeof checks.$inferInsert;
