import { and, eq, isNull, notExists, sql } from 'drizzle-orm';
import { sumOf } from '../../base/numbers.ts';
import { dayLength } from '../../base/time.ts';
import type { LoadedCheck } from '../../experiments/starts/health.ts';
import { analyses, type Start } from '../../experiments/starts/table.ts';
import { constant } from '../../platform/store/sql/expressions.ts';
import { insertRows, overRows, primaryKeyOf } from '../../platform/store/sql/rows.ts';
import {
  compileQuery,
  once,
  query,
  type Statement,
  statement,
} from '../../platform/store/sql/statement.ts';
import { type Cell, largerOf, sinceDimension, storedMoments } from '../base/cells.ts';
import { closedDay, isDecidedStart } from '../base/days.ts';
import type { ExposureCell } from '../base/exposures.ts';
import { analysisExposures, analysisLoads, analysisMoments, analysisRuns } from '../base/table.ts';
import { averageTotal, type DailyTotal } from '../work/daily_totals.ts';
import type { DayTask } from '../work/day_tasks.ts';
import { everyMetric } from '../work/due.ts';
import type { Plans } from '../work/plans.ts';
import { weekRows } from './since.ts';

const dayOfMetric = [
  analysisMoments.kind,
  analysisMoments.id,
  analysisMoments.start,
  analysisMoments.metric,
  analysisMoments.rollup,
  analysisMoments.ds,
] as const;

/** Whether the day was not planned again, for data or definitions that a load of it has not seen. */
const isNewest = sql`not exists (select 1 from analysis_runs r
  where r.kind = ${sql.placeholder('kind')} and r.id = ${sql.placeholder('id')} and r.start = ${sql.placeholder('start')}
    and r.ds = ${sql.placeholder('ds')} and r.plannedTime > ${sql.placeholder('plannedTime')})`;

/** A load stores nothing after a decision, deletion or newer plan during it. */
const isAsRead = sql`${isNewest} and exists (select 1 from analyses a
  where a.kind = ${sql.placeholder('kind')} and a.id = ${sql.placeholder('id')} and a.start = ${sql.placeholder('start')}
    and (a.settings ->> 'decided' is not null) = ${sql.placeholder('isDecided')})`;

const deleteMoments = overRows((_, isGiven) =>
  statement(sql`delete from ${analysisMoments} where ${isGiven(dayOfMetric)} and ${isAsRead}`),
);

const insertMoments = overRows((given) =>
  statement(sql`${insertRows(analysisMoments, given)} and ${isAsRead}`),
);

const dayOfExposures = [
  analysisExposures.kind,
  analysisExposures.id,
  analysisExposures.start,
  analysisExposures.ds,
] as const;

const deleteExposures = overRows((_, isGiven) =>
  statement(sql`delete from ${analysisExposures} where ${isGiven(dayOfExposures)} and ${isAsRead}`),
);

const insertExposures = overRows((given) =>
  statement(sql`${insertRows(analysisExposures, given)} and ${isAsRead}`),
);

const deleteRuns = overRows((_, isGiven) =>
  statement(
    sql`delete from ${analysisRuns} where ${isGiven(primaryKeyOf(analysisRuns))} and ${isNewest}`,
  ),
);

function momentRows(
  { partial, phase: _, nextUnit: _unit, plannedTime: _time, ...run }: DayTask,
  totals: readonly DailyTotal[],
) {
  const dailyTotal = averageTotal(totals, run);
  const cells = partial.cells.filter(
    ({ dimension }) => run.rollup !== 1 || dimension !== sinceDimension,
  );
  const bySlice = Map.groupBy(cells, ({ dimension, slice }) => JSON.stringify([dimension, slice]));
  const largest = (own: readonly Cell[], part: 'y' | 'd') =>
    own.reduce<number | null>((most, cell) => largerOf(most, cell.largest[part]), null);
  return [...bySlice.values()].flatMap((own) => {
    const upper = largest(own, 'y');
    const upperDenominator = largest(own, 'd');
    return own.map((cell) => ({
      ...run,
      dimension: cell.dimension,
      slice: cell.slice,
      group: cell.group,
      definition: partial.definition,
      n: cell.moments.n,
      moments: {
        ...storedMoments(cell),
        ...(cell.dimension === '' && dailyTotal !== undefined && { dailyTotal }),
      },
      upper,
      upperDenominator,
      skipped: cell.skipped,
    }));
  });
}

/** A row keeps the other days of its week, unless they were computed by another definition. */
const storeWeeks = overRows((given) =>
  statement(sql`
    ${insertRows(analysisMoments, given)} and ${isAsRead}
    on conflict (kind, id, start, metric, rollup, ds, dimension, slice, "group") do update set
      moments = iif(definition = excluded.definition, json_patch(moments, excluded.moments), excluded.moments),
      definition = excluded.definition`),
);

const startCondition = (
  table: typeof analyses | typeof analysisLoads | typeof analysisRuns,
  key: Pick<DayTask, 'kind' | 'id' | 'start'>,
) => and(sql`${table.kind} = ${key.kind}`, eq(table.id, key.id), eq(table.start, key.start));

interface Ending {
  now: number;
  health: LoadedCheck[] | undefined;
  totals: readonly DailyTotal[];
  plans: Plans;
}

/** Whether a load has all metrics of a day that was closed when it was planned. */
function isWholeDay({ settings }: Start, runs: readonly DayTask[]): boolean {
  const loaded = new Set(runs.map(({ metric, rollup }) => `${metric} ${rollup}`));
  return (
    everyMetric(settings).every(({ metric, rollup }) => loaded.has(`${metric} ${rollup}`)) &&
    runs.every(({ ds, plannedTime }) => ds <= closedDay(plannedTime))
  );
}

/** A full load sets `dueDay` back: the other days stay due. */
function updateAnalysis(
  analysis: Start,
  runs: readonly DayTask[],
  { cells, day }: { cells: readonly ExposureCell[]; day: number },
  { now, health }: Pick<Ending, 'now' | 'health'>,
) {
  const exposed = sumOf(
    cells.flatMap(({ dimension, cumulative }) => (dimension === '' ? [cumulative] : [])),
  );
  const isReached = analysis.plannedEnd === null && exposed >= analysis.tuningUnits;
  const { dueDay, loadedDay } = analyses;
  const next = sql`iif(${dueDay} = ${constant(day)}, ${constant(day + 1)}, ${dueDay})`;
  return query
    .update(analyses)
    .set({
      // Each day has a later time, so that an ETag names one state.
      loadedTime: sql`max(coalesce(${analyses.loadedTime}, 0) + 1, ${constant(now)})`,
      ...(health && { health }),
      loadedDay: sql`max(coalesce(${loadedDay}, ${constant(day)}), ${constant(day)})`,
      ...(isWholeDay(analysis, runs) && { dueDay: next }),
      ...(isReached && { plannedEnd: (day + 1) * dayLength }),
    })
    .where(
      and(
        startCondition(analyses, analysis),
        isNewest,
        sql`(settings ->> 'decided' is not null) = ${constant(Number(isDecidedStart(analysis)))}`,
      ),
    );
}

const finishLoads = (
  key: Pick<DayTask, 'kind' | 'id' | 'start'>,
  now: number,
  finishedState: 'SUCCESS' | 'CANCELED',
) =>
  query
    .update(analysisLoads)
    .set({ finishedTime: now, finishedState })
    .where(
      and(
        startCondition(analysisLoads, key),
        isNull(analysisLoads.finishedTime),
        notExists(
          query
            .select({ one: constant(1) })
            .from(analysisRuns)
            .where(startCondition(analysisRuns, key)),
        ),
      ),
    );

/** Returns the statements that remove the planned work of an analysis. */
export const cancelRuns = (
  key: Pick<DayTask, 'kind' | 'id' | 'start'>,
  now: number,
): Statement[] => [
  once(query.delete(analysisRuns).where(startCondition(analysisRuns, key))),
  once(finishLoads(key, now, 'CANCELED')),
];

/** Returns the batch that ends the runs of a day and makes all its results visible at once. Storing it twice is harmless. */
export function finishDay(analysis: Start, runs: readonly DayTask[], ending: Ending): Statement[] {
  const [first] = runs;
  if (!first) return [];
  const { kind, id, start, ds } = first;
  const plannedTime = Math.max(...runs.map((run) => run.plannedTime));
  const asRead = { kind, id, start, ds, plannedTime, isDecided: Number(isDecidedStart(analysis)) };
  const ofMetrics = runs.filter(({ metric }) => metric !== '');
  const keysOf = (some: readonly DayTask[]) => some.map(({ partial: _, ...key }) => key);
  const exposures = runs.find(({ metric }) => metric === '')?.partial.exposures ?? [];
  const weeks = ofMetrics.flatMap((run) => weekRows(analysis, run, ending.plans.get(run.metric)));
  return [
    ...deleteMoments(keysOf(ofMetrics), asRead),
    ...insertMoments(
      ofMetrics.flatMap((run) => momentRows(run, ending.totals)),
      asRead,
    ),
    ...storeWeeks(weeks, asRead),
    ...deleteExposures([{ kind, id, start, ds }], asRead),
    ...insertExposures(
      exposures.map((cell) => ({ ...cell, kind, id, start, ds })),
      asRead,
    ),
    compileQuery(updateAnalysis(analysis, runs, { cells: exposures, day: ds }, ending))(asRead),
    ...deleteRuns(keysOf(runs), asRead),
    once(finishLoads(analysis, ending.now, 'SUCCESS')),
  ];
}
