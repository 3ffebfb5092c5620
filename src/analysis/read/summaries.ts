import { type SQL, sql } from 'drizzle-orm';
import type { Metric } from '../../data/metrics/schema.ts';
import { analyses, type Start } from '../../experiments/starts/table.ts';
import { once, query, type Statement, statement } from '../../platform/store/sql/statement.ts';
import {
  cellColumns,
  firstDayOfBaseline,
  metricsWithComponents,
  type StoredCell,
  settingsSQL,
  storedCell,
} from './stored.ts';

const presentSQL = (ids: readonly string[]): SQL => sql`
  select a.kind, a.id, a.start, a.control, a.loadedDay, (a.plannedEnd - 1) / 86400000 as plannedDay,
    a.settings ->> '$.primaryMetrics[0]' as metric, ${settingsSQL} ->> 'analyticsType' = 'sprt' as isSprt,
    ${settingsSQL} ->> 'sequentialTesting' as isSequential
  from json_each(${JSON.stringify(ids)}) i cross join experiments e on e.id = i.value
    cross join analyses a on a.kind = 'experiment' and a.id = e.id and a.start = e.startTime`;

export const readPresentAnalyses = (ids: readonly string[]): Statement<Start> =>
  once(
    query
      .select()
      .from(analyses)
      .where(
        sql`(${analyses.kind}, ${analyses.id}, ${analyses.start}) in (select kind, id, start from (${presentSQL(ids)}))`,
      ),
  );

/** Selects the first primary metrics of experiments, with their components. */
export const readFirstMetrics = (ids: readonly string[]): Statement<Metric> =>
  metricsWithComponents(
    sql`select metric as id from (${presentSQL(ids)}) where metric is not null`,
  );

/** Selects the results of the first primary metrics of experiments, of the same days as `readCells`. */
export const readFirstCells = (
  ids: readonly string[],
): Statement<StoredCell & { experimentID: string }> =>
  statement(
    sql`with a as materialized (${presentSQL(ids)})
      select ${cellColumns}, m.id
      from a cross join analysis_moments m
        on m.kind = a.kind and m.id = a.id and m.start = a.start and m.metric = a.metric and m.rollup = -1
          and m.ds in (a.loadedDay, iif(a.isSequential and a.plannedDay < a.loadedDay, a.plannedDay, null))
          and m.dimension = '' and m.slice = ''`,
    (row) => ({ ...storedCell(row), experimentID: String(row.id) }),
  )();

/** Selects the baselines of the first primary metrics of experiments, as `readBaselines`. */
export const readFirstBaselines = (
  ids: readonly string[],
  minUnits: number,
): Statement<StoredCell & { experimentID: string }> =>
  statement(
    sql`with a as materialized (select * from (${presentSQL(ids)}) where isSprt)
      select ${cellColumns}, m.id
      from a cross join analysis_moments m
        on m.kind = a.kind and m.id = a.id and m.start = a.start and m.metric = a.metric and m.rollup = -1
          and m.dimension = '' and m.slice = '' and m."group" = a.control
          and m.ds = (${firstDayOfBaseline(sql`a.metric`, sql`a.loadedDay`, minUnits)})`,
    (row) => ({ ...storedCell(row), experimentID: String(row.id) }),
  )();
