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
import type { MetricDefinition } from '../../data/metrics/schema.ts';
import { boolean, json } from '../../platform/store/sql/columns.ts';
import { holdJSON } from '../../platform/store/sql/expressions.ts';
import type { ResultSettings } from './settings_schema.ts';

export interface StartGroup {
  id: string;
  name: string;
  size: number;
  /** Units with a draw from here on are left out, so that an unequal split has groups of equal size. */
  drawsBelow?: number;
}

interface Decided extends ResultSettings {
  /** Whether results had been loaded, which then stay. */
  wasLoaded?: boolean;
  /** With their components, as rows. */
  metrics?: (MetricDefinition & { settings: object })[];
  units?: [group: string, units: number][];
}

export interface StartSettings {
  primaryMetrics: string[];
  secondaryMetrics: string[];
  otherMetrics: string[];
  /** Tags whose metrics are in the lists too; `added` are those metrics. */
  tags?: { primary: string[]; secondary: string[]; added: string[] };
  dimensions: string[];
  /** Days from the exposure of a unit on that count; all if null. */
  cohortDays: number | null;
  waitsForCohort: boolean;
  maturesAfterEnd: boolean;
  /** Days from the start on that count; all if null. */
  fixedDays: number | null;
  /** Nothing later counts; epoch milliseconds. */
  analysisEnd: number | null;
  /** The state at the decision, from which on nothing changes the results; null before it. */
  decided?: Decided | null;
  definitions: Record<string, string>;
  /** The metrics, with components, that are computed from uploaded values. */
  uploaded?: string[];
}

/** A row for each run of an experiment, or phase of a measured rule or holdout. Times in epoch milliseconds. */
export const analyses = sqliteTable(
  'analyses',
  {
    kind: text({ enum: ['experiment', 'gate', 'holdout'] }).notNull(),
    /** The entity; for a rule, the gate and the rule, joined by a colon. */
    id: text().notNull(),
    start: integer().notNull(),
    unitType: text().notNull(),
    groups: json<StartGroup[]>(),
    control: text().notNull(),
    assignmentEnd: integer(),
    endTime: integer(),
    plannedEnd: integer(),
    /** `designAlpha` (from 0 to 1) and `tuningUnits` are those for which sequential tests were tuned at the start. */
    designAlpha: real().notNull(),
    tuningUnits: integer().notNull(),
    settings: json<StartSettings>(),
    health: json<unknown>(),
    loadedTime: integer(),
    /** Days are in days since 1970. */
    loadedDay: integer(),
    dueDay: integer().notNull(),
    /** The events of each name that arrived after their day was loaded. */
    lateEvents: json<Record<string, number>>().default({}),
    isOpen: boolean(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.id, table.start] }),
    index('analyses_open').on(table.kind, table.id, table.start).where(sql.raw('isOpen = 1')),
    check('analyses_json', holdJSON('groups', 'settings', 'health')),
  ],
);

export type Start = typeof analyses.$inferSelect;

/** Deleted entities whose exposures and results are not yet removed. */
export const analysisRemovals = sqliteTable(
  'analysis_removals',
  { kind: text().notNull(), id: text().notNull() },
  (table) => [primaryKey({ columns: [table.kind, table.id] })],
);
