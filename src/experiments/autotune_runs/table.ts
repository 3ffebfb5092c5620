import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { json } from '../../platform/store/sql/columns.ts';
import { holdJSON } from '../../platform/store/sql/expressions.ts';

export interface VariantTrials {
  units: number;
  successes: number;
  mean: number;
  squares: number;
}

export interface CountedTrials {
  /** The last exposure of the previous chunk; empty before the first one. */
  unit: string;
  variant: string;
  trials: Record<string, VariantTrials>;
}

export const nothingCounted: CountedTrials = { unit: '', variant: '', trials: {} };

export const autotuneRuns = sqliteTable(
  'autotune_runs',
  {
    id: text().primaryKey(),
    start: integer().notNull(),
    /** The hour whose trials are counted next, in hours since 1970; what happened before its beginning counts. */
    dueHour: integer().notNull(),
    counted: json<CountedTrials>(),
  },
  () => [check('autotune_runs_json', holdJSON('counted'))],
);

export interface LearnedVariant extends VariantTrials {
  name: string;
  /** Null while the values of a variant do not vary. */
  probabilityOfBest: number | null;
  allocation: number;
}

export const autotuneHours = sqliteTable(
  'autotune_hours',
  {
    id: text().notNull(),
    start: integer().notNull(),
    hour: integer().notNull(),
    variants: json<LearnedVariant[]>(),
  },
  (table) => [
    primaryKey({ columns: [table.id, table.start, table.hour] }),
    check('autotune_hours_json', holdJSON('variants')),
  ],
);

export type AutotuneRun = typeof autotuneRuns.$inferSelect;
