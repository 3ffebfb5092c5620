import { check, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { json } from '../../platform/store/sql/columns.ts';
import { holdJSON } from '../../platform/store/sql/expressions.ts';
import type { StoredMoments } from './cells.ts';
import type { LoadPhase, TaskProgress } from './progress.ts';

const startColumns = () => ({
  kind: text().notNull(),
  id: text().notNull(),
  start: integer().notNull(),
});

const ofSlice = () => ({
  dimension: text().notNull(),
  slice: text().notNull(),
  group: text().notNull(),
});

export const analysisMoments = sqliteTable(
  'analysis_moments',
  {
    ...startColumns(),
    metric: text().notNull(),
    /** How many days up to this one count: 1, 7, or -1 for all; 0 for rows of a week. Days are in days since 1970. */
    rollup: integer().notNull(),
    ds: integer().notNull(),
    ...ofSlice(),
    definition: text().notNull(),
    n: integer().notNull(),
    moments: json<StoredMoments>(),
    upper: real(),
    upperDenominator: real(),
    skipped: integer().notNull(),
  },
  (table) => [
    primaryKey({
      columns: [
        table.kind,
        table.id,
        table.start,
        table.metric,
        table.rollup,
        table.ds,
        table.dimension,
        table.slice,
        table.group,
      ],
    }),
    check('analysis_moments_json', holdJSON('moments')),
  ],
);

export const analysisExposures = sqliteTable(
  'analysis_exposures',
  {
    ...startColumns(),
    ds: integer().notNull(),
    ...ofSlice(),
    new: integer().notNull(),
    cumulative: integer().notNull(),
    /** Units left out because they are in another group too; all of them in the row of the group ''. */
    crossovers: integer().notNull(),
    exposures: integer().notNull(),
    firstTimes: integer().notNull(),
  },
  (table) => [
    primaryKey({
      columns: [
        table.kind,
        table.id,
        table.start,
        table.ds,
        table.dimension,
        table.slice,
        table.group,
      ],
    }),
  ],
);

/** The metric '' is the exposures of a day. */
export const analysisRuns = sqliteTable(
  'analysis_runs',
  {
    ...startColumns(),
    ds: integer().notNull(),
    metric: text().notNull(),
    rollup: integer().notNull(),
    phase: text().$type<LoadPhase>().notNull(),
    nextUnit: text().notNull(),
    partial: json<TaskProgress>(),
    /** Changes with each planning, so that the progress of an earlier one is not stored. Later for a day that failed. */
    plannedTime: integer().notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.kind, table.id, table.start, table.ds, table.metric, table.rollup],
    }),
    check('analysis_runs_json', holdJSON('partial')),
  ],
);

export const analysisLoads = sqliteTable(
  'analysis_loads',
  {
    ...startColumns(),
    createdTime: integer().notNull(),
    creatorName: text().notNull(),
    reloadType: text({ enum: ['full', 'incremental', 'metric'] }).notNull(),
    startDs: integer().notNull(),
    endDs: integer().notNull(),
    finishedTime: integer(),
    finishedState: text(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id, table.start, table.createdTime] })],
);

/** Up to where the scheduler has looked for late events and changed entities, and the last day with totals. */
export const analysisLooks = sqliteTable('analysis_looks', {
  name: text({ enum: ['events', 'revisions', 'totals'] }).primaryKey(),
  seq: integer().notNull(),
  time: integer().notNull(),
});

export const unitValues = sqliteTable(
  'unit_values',
  {
    metricName: text().notNull(),
    metricType: text().notNull(),
    unitType: text().notNull(),
    unit: text().notNull(),
    ds: integer().notNull(),
    value: real(),
    numerator: real(),
    denominator: real(),
  },
  (table) => [
    primaryKey({
      columns: [table.metricName, table.metricType, table.unitType, table.unit, table.ds],
    }),
  ],
);
