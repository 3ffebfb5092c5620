import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core';
import { boolean, json } from '../../store/sql/columns.ts';
import { holdJSON } from '../../store/sql/expressions.ts';
import type { Statistics } from '../experiments/statistics.ts';

export interface AnalysisGroup {
  /** The group in `exposures`. */
  id: string;
  name: string;
  /** The planned share of the units, in percent. */
  size: number;
  /** Units with a draw from here on are left out, so that an unequal split has groups of equal size. */
  drawsBelow?: number;
}

/** The settings of an entity that decide what is computed. */
export interface AnalysisSettings {
  primaryMetrics: string[];
  secondaryMetrics: string[];
  otherMetrics: string[];
  /** Attributes of exposures by which results are sliced. */
  dimensions: string[];
  /** Days from the exposure of a unit on that count; all if null. */
  cohortDays: number | null;
  /** Whether units count only when their window is over. */
  waitsForCohort: boolean;
  /** Whether the windows of units continue after the end of the experiment. */
  maturesAfterEnd: boolean;
  /** Days from the start on that count; all if null. */
  fixedDays: number | null;
  /** Nothing later counts; epoch milliseconds. */
  analysisEnd: number | null;
  /** The settings of the tests at the decision, from which on nothing changes the results; null before it. */
  decided?: Statistics | null;
  /** The hash of the definition with which each metric was last planned. */
  definitions: Record<string, string>;
}

/** One row for each run of an experiment, and each phase of a measured rule or a holdout. Times in epoch milliseconds. */
export const analyses = sqliteTable(
  'analyses',
  {
    kind: text({ enum: ['experiment', 'gate', 'holdout'] }).notNull(),
    /** The entity; for a rule, the gate and the rule, joined by a colon. */
    id: text().notNull(),
    start: integer().notNull(),
    unitType: text().notNull(),
    groups: json<AnalysisGroup[]>(),
    control: text().notNull(),
    assignmentEnd: integer(),
    endTime: integer(),
    plannedEnd: integer(),
    /** The error rate for which sequential tests were tuned at the start, from 0 to 1. */
    designAlpha: real().notNull(),
    /** The number of units for which sequential tests were tuned at the start. */
    tuningUnits: integer().notNull(),
    settings: json<AnalysisSettings>(),
    health: json<unknown>(),
    loadedTime: integer(),
    /** The latest day with results, in days since 1970. */
    loadedDay: integer(),
    /** The day that is loaded next, in days since 1970. */
    dueDay: integer().notNull(),
    isOpen: boolean(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.id, table.start] }),
    index('analyses_open').on(table.kind, table.id, table.start).where(sql.raw('isOpen = 1')),
    check('analyses_json', holdJSON('groups', 'settings', 'health')),
  ],
);

export type Analysis = typeof analyses.$inferSelect;
