import { type SQL, sql } from 'drizzle-orm';
import type { Metric } from '../../data/metrics/schema.ts';
import { metrics, metricTable } from '../../data/metrics/table.ts';
import { analyses, type Start } from '../../experiments/starts/table.ts';
import { fromRow } from '../../platform/store/entities/mapping.ts';
import { columnsOf } from '../../platform/store/sql/columns.ts';
import { once, query, type Statement, statement } from '../../platform/store/sql/statement.ts';
import type { StoredMoments } from '../base/cells.ts';
import { isKept } from '../base/removal.ts';
import type { CellPair } from '../day/pair.ts';

export interface Selection {
  kind: Start['kind'];
  id: string;
  start: number | null;
  ds: number | null;
  rollup: number | null;
  sequential: boolean | null;
}

export interface StoredCell {
  metric: string;
  ds: number;
  dimension: string;
  slice: string;
  group: string;
  n: number;
  moments: StoredMoments;
  upper: number | null;
  upperDenominator: number | null;
  skipped: number;
}

export type StoredPair = CellPair<StoredCell>;

export interface Chosen {
  ds: number | null;
  rollup: number;
  loadedTime: number | null;
  changes: number;
  /** The metrics that a load of this day has not ended. */
  pending: string[];
}

/** An experiment's present run is that of its start time. */
const runSQL = ({ kind, id, start }: Selection): SQL =>
  sql`coalesce(${start}, e.startTime, (select max(start) from analyses where kind = ${kind} and id = ${id}))`;

const entitySQL = ({ kind, id }: Selection): SQL =>
  sql`(select 1) left join experiments e on ${kind} = 'experiment' and e.id = ${id}`;

/** The settings of an experiment, or those at its decision. */
export const settingsSQL = sql`iif(a.settings ->> 'decided' is null, e.settings, a.settings -> 'decided')`;

/** Selects the row of the analysis. */
export function chosenSQL(selection: Selection): SQL {
  const { kind, id, ds, rollup, sequential } = selection;
  const days = sql`coalesce(${rollup}, case ${settingsSQL} ->> 'defaultRollupWindow' when 1 then 1 when 7 then 7 else -1 end)`;
  const isSequential = sql`coalesce(${sequential === null ? null : Number(sequential)},
    ${settingsSQL} ->> 'sequentialTesting', 0)`;
  return sql`
    select a.kind, a.id, a.start, a.control, a.settings, a.loadedTime, (a.plannedEnd - 1) / 86400000 as plannedDay,
      coalesce(${ds}, case when ${days} = -1 then a.loadedDay else min(a.loadedDay, a.dueDay - 1) end) as ds,
      ${days} as rollup, ${isSequential} as isSequential, ${settingsSQL} ->> 'analyticsType' = 'sprt' as isSprt
    from ${entitySQL(selection)} join analyses a on a.kind = ${kind} and a.id = ${id} and a.start = ${runSQL(selection)} and ${isKept('a')}`;
}

export const listedSQL = sql`
  select j.value as id from a cross join json_each(a.settings) k cross join json_each(k.value) j
  where k.key like '%Metrics'`;

const listedOf = (metric: string | undefined): SQL =>
  metric === undefined ? listedSQL : sql`select ${metric} as id`;

export const isOfRun = sql`m.kind = a.kind and m.id = a.id and m.start = a.start`;

export const cellColumns = sql`m.metric, m.ds, m.dimension, m.slice, m."group", m.n, m.moments, m.upper, m.upperDenominator, m.skipped`;

export type StoredRow = Record<string, unknown>;

const nullable = (value: unknown): number | null => (value === null ? null : Number(value));

export const placeOfCell = ({ ds, dimension, slice, group }: StoredRow) => ({
  ds: Number(ds),
  dimension: String(dimension),
  slice: String(slice),
  group: String(group),
});

export const storedCell = (row: StoredRow): StoredCell => ({
  ...placeOfCell(row),
  metric: String(row.metric),
  n: Number(row.n),
  moments: JSON.parse(String(row.moments)),
  upper: nullable(row.upper),
  upperDenominator: nullable(row.upperDenominator),
  skipped: Number(row.skipped),
});

/** Selects the chosen day, and what tells whether an earlier response still holds. */
export const readChosen = (selection: Selection): Statement<Chosen> =>
  statement(
    sql`with a as (${chosenSQL(selection)})
      select a.ds, a.rollup, a.loadedTime, (select max(seq) from revisions) as changes,
        (select json_group_array(r.metric) from analysis_runs r
          where r.kind = a.kind and r.id = a.id and r.start = a.start and r.ds = a.ds) as pending
      from a`,
    ({ ds, rollup, loadedTime, changes, pending }: StoredRow) => ({
      ds: nullable(ds),
      rollup: Number(rollup),
      loadedTime: nullable(loadedTime),
      changes: Number(changes),
      pending: JSON.parse(String(pending)),
    }),
  )();

export const chosenKey = (selection: Selection): SQL =>
  sql`select ${selection.kind}, ${selection.id}, ${runSQL(selection)} from ${entitySQL(selection)}`;

export const readChosenAnalysis = (selection: Selection): Statement<Start> =>
  once(
    query
      .select()
      .from(analyses)
      .where(
        sql`(${analyses.kind}, ${analyses.id}, ${analyses.start}) = (${chosenKey(selection)}) and ${isKept('analyses')}`,
      ),
  );

const readMetric = once(query.select(columnsOf(metricTable)).from(metricTable));

/** Selects metrics with their components, each read once; `listed` selects their ids. */
export const metricsWithComponents = (listed: SQL): Statement<Metric> =>
  statement(
    sql`with recursive wanted as (
        select m.* from (${listed}) l cross join metrics m on m.id = l.id
        union select m.* from wanted cross join json_each(wanted.metricComponentMetrics) c
          cross join metrics m on m.id = (c.value ->> 'name') || '::' || (c.value ->> 'type'))
      select * from wanted`,
    (row: StoredRow) => fromRow(metrics, readMetric.decode(row)),
  )();

/** Selects the metrics of the analysis, or one, with their components. */
export const readListedMetrics = (selection: Selection, metric?: string): Statement<Metric> =>
  metricsWithComponents(sql`with a as (${chosenSQL(selection)}) ${listedOf(metric)}`);

/** The chosen day, and the planned end if a sequential test decided there. */
const chosenDays = sql`select ds from a union select plannedDay from a where isSequential and plannedDay < ds`;

/** Selects all results of these days without slices. */
export const readCells = (selection: Selection): Statement<StoredCell> =>
  statement(
    sql`with a as materialized (${chosenSQL(selection)}), listed as (${listedSQL}),
        days(ds) as materialized (${chosenDays})
      select ${cellColumns}
      from a cross join listed cross join days cross join analysis_moments m
        on ${isOfRun} and m.metric = listed.id and m.rollup = a.rollup and m.ds = days.ds
          and m.dimension = '' and m.slice = ''`,
    storedCell,
  )();

/** Selects the results of one metric in the slices of a dimension. */
export const readSlices = (
  selection: Selection,
  metric: string,
  dimension: string,
): Statement<StoredCell> =>
  statement(
    sql`with a as materialized (${chosenSQL(selection)}), days(ds) as materialized (${chosenDays})
      select ${cellColumns}
      from a cross join days cross join analysis_moments m
        on ${isOfRun} and m.metric = ${metric} and m.rollup = -1 and m.ds = days.ds and m.dimension = ${dimension}`,
    storedCell,
  )();

/** Selects the first day up to another on which the control group of a metric has enough units for a baseline. */
export const firstDayOfBaseline = (metric: SQL, upTo: SQL, minUnits: number): SQL => sql`
  select min(f.ds) from analysis_moments f
  where f.kind = a.kind and f.id = a.id and f.start = a.start and f.metric = ${metric} and f.rollup = -1
    and f.ds <= ${upTo} and f.dimension = '' and f.slice = '' and f."group" = a.control and f.n >= ${minUnits}`;

/** Selects the control group of each metric on that day. */
export const readBaselines = (
  selection: Selection,
  minUnits: number,
  metric?: string,
): Statement<StoredCell> =>
  statement(
    sql`with a as materialized (select * from (${chosenSQL(selection)}) where isSprt), listed as (${listedOf(metric)})
      select ${cellColumns}
      from a cross join listed cross join analysis_moments m
        on ${isOfRun} and m.metric = listed.id and m.rollup = -1
          and m.dimension = '' and m.slice = '' and m."group" = a.control
          and m.ds = (${firstDayOfBaseline(sql`listed.id`, sql`a.ds`, minUnits)})`,
    storedCell,
  )();
