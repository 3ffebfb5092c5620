import { and, eq, type SQLWrapper, sql } from 'drizzle-orm';
import type { Start } from '../../experiments/starts/table.ts';
import { analyses } from '../../experiments/starts/table.ts';
import { insertRows, overRows, rowParts } from '../../platform/store/sql/rows.ts';
import {
  compileQuery,
  once,
  query,
  type Statement,
  statement,
} from '../../platform/store/sql/statement.ts';
import { analysisRuns } from '../base/table.ts';

export type DayTask = typeof analysisRuns.$inferSelect;

export type AnalysisKey = Pick<Start, 'kind' | 'id' | 'start'>;

const { kind, id, start, ds, metric, rollup } = analysisRuns;

const isPlannedNow = sql`plannedTime <= ${sql.placeholder('now')}`;

/** The first planned day of the analysis whose last load is the oldest, so that none waits for all days of another. */
const next = sql`
  select p.kind, p.id, p.start, p.ds
  from (select kind, id, start, min(ds) as ds from analysis_runs group by kind, id, start) p
    cross join analysis_runs r on r.kind = p.kind and r.id = p.id and r.start = p.start and r.ds = p.ds
      and r.metric = '' and r.rollup = -1 and r.${isPlannedNow}
    cross join analyses a on a.kind = p.kind and a.id = p.id and a.start = p.start
  order by a.loadedTime, a.kind, a.id, a.start limit 1`;

const runsOfDay = (day: SQLWrapper) =>
  compileQuery(
    query
      .select()
      .from(analysisRuns)
      .where(sql`(${kind}, ${id}, ${start}, ${ds}) = (${day})`)
      .orderBy(metric, rollup),
  );

export const readNextDay = runsOfDay(next);

const isOfAnalysis = and(
  eq(kind, sql.placeholder('kind')),
  eq(id, sql.placeholder('id')),
  eq(start, sql.placeholder('start')),
);

export const readNextDayOf = runsOfDay(sql`
  select kind, id, start, ds from (
    select kind, id, start, ds, plannedTime from analysis_runs where ${isOfAnalysis} order by ds, metric limit 1)
  where ${isPlannedNow}`);

export const readAnyRun = compileQuery(
  query.select({ ds }).from(analysisRuns).where(isOfAnalysis).limit(1),
);

export const readAnalysis = compileQuery(
  query
    .select()
    .from(analyses)
    .where(
      and(
        eq(analyses.kind, sql.placeholder('kind')),
        eq(analyses.id, sql.placeholder('id')),
        eq(analyses.start, sql.placeholder('start')),
      ),
    ),
);

/** Plans runs; an existing run begins from scratch. */
export const planRuns: (rows: readonly DayTask[]) => Statement[] = overRows((given) =>
  statement(sql`
    ${insertRows(analysisRuns, given)}
    on conflict (kind, id, start, ds, metric, rollup) do update set
      phase = excluded.phase, nextUnit = excluded.nextUnit, partial = excluded.partial,
      plannedTime = excluded.plannedTime`),
);

/** Returns the statements after which runs that are under way begin from scratch. */
export const restartRuns: (rows: readonly DayTask[]) => Statement[] = overRows((given, isGiven) =>
  statement(sql`
    update analysis_runs set phase = 'waiting', nextUnit = '', plannedTime = (select max(value ->> 'plannedTime') from ${given}),
      partial = (select value -> 'partial' from ${given} limit 1)
    where ${isGiven([kind, id, start, ds, metric, rollup])} and phase <> 'waiting'`),
);

export const postponeRuns = (day: Pick<DayTask, 'kind' | 'id' | 'start' | 'ds'>, time: number) =>
  once(
    query
      .update(analysisRuns)
      .set({ plannedTime: time })
      .where(and(eq(kind, day.kind), eq(id, day.id), eq(start, day.start), eq(ds, day.ds))),
  );

export interface Advance {
  before: DayTask;
  after: Pick<DayTask, 'phase' | 'nextUnit' | 'partial'>;
}

/** Returns the statements that store progress, as text with all digits, unless a run was advanced or planned again. */
export function storeProgress(advances: readonly Advance[]): Statement[] {
  const [first] = advances;
  if (!first) return [];
  const { kind: ofKind, id: ofID, start: ofStart, ds: ofDay } = first.before;
  const rows = advances.map(({ before, after }) => ({
    metric: before.metric,
    rollup: before.rollup,
    wasPhase: before.phase,
    wasUnit: before.nextUnit,
    plannedTime: before.plannedTime,
    phase: after.phase,
    nextUnit: after.nextUnit,
    partial: JSON.stringify(after.partial),
  }));
  const written = (part: typeof rows) => sql`
    update analysis_runs as r set phase = j.value ->> 'phase', nextUnit = j.value ->> 'nextUnit', partial = j.value ->> 'partial'
    from json_each(${JSON.stringify(part)}) j
    where r.kind = ${ofKind} and r.id = ${ofID} and r.start = ${ofStart} and r.ds = ${ofDay}
      and r.metric = j.value ->> 'metric' and r.rollup = j.value ->> 'rollup'
      and r.plannedTime = j.value ->> 'plannedTime'
      and r.phase = j.value ->> 'wasPhase' and r.nextUnit = j.value ->> 'wasUnit'`;
  return rowParts(rows).map((part) => statement(written(part))());
}
