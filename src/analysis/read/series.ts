import { type SQL, sql } from 'drizzle-orm';
import { constant } from '../../platform/store/sql/expressions.ts';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';
import type { Pair, SinceExposure, StoredMoments } from '../base/cells.ts';
import { weekLength } from '../day/since.ts';
import {
  chosenSQL,
  isOfRun,
  listedSQL,
  placeOfCell,
  type Selection,
  type StoredCell,
  type StoredRow,
  storedCell,
} from './stored.ts';

/** The first and last days of the analysis if null. */
export interface Range {
  from: number | null;
  to: number | null;
}

/** Days are looked up one by one. The planned end of a sequential test comes first: later days keep its verdict. */
const daysSQL = ({ from, to }: Range, step = 1) => sql`
  days(ds, last, kind, id, start, rollup) as (
    select max(a.start / 86400000, min(coalesce(${from}, 0), iif(a.isSequential, coalesce(a.plannedDay, 1e9), 1e9))),
      min(a.ds, coalesce(${to}, a.ds)), a.kind, a.id, a.start, a.rollup from a where a.ds is not null
    union all select ds + ${constant(step)}, last, kind, id, start, rollup from days where ds + ${constant(step)} <= last)`;

const columnsOfCell = ['metric', 'ds', 'n', 'moments', 'upper', 'upperDenominator', 'skipped'];

const prefixed = (of: 'c' | 't'): SQL =>
  sql.raw(columnsOfCell.map((name) => `${of}.${name} as ${of}_${name}`).join(', '));

function cellUnder(row: StoredRow, of: 'c' | 't', group: string): StoredCell[] {
  if (row[`${of}_ds`] === null) return [];
  const own = Object.fromEntries(columnsOfCell.map((name) => [name, row[`${of}_${name}`]]));
  return [storedCell({ ...own, dimension: '', slice: '', group })];
}

const cellRow = (of: 'c' | 't', group: string, metric: SQL): SQL => {
  const m = sql.raw(of);
  return sql`left join analysis_moments ${m}
    on ${m}.kind = days.kind and ${m}.id = days.id and ${m}.start = days.start and ${m}.metric = ${metric}
      and ${m}.rollup = days.rollup and ${m}.ds = days.ds and ${m}.dimension = '' and ${m}.slice = ''
      and ${m}."group" = ${group}`;
};

const seriesRows = ({ control, test }: Pair, metric: SQL): SQL =>
  sql`${cellRow('c', control, metric)} ${cellRow('t', test, metric)}`;

/** Selects the results of each day in two groups. A list of groups would be read once for each day. */
export const readSeries = (
  selection: Selection,
  sides: Pair,
  range: Range,
  metric?: string,
): Statement<StoredCell[]> => {
  const id = metric === undefined ? sql`listed.id` : sql`${metric}`;
  const days = metric === undefined ? sql`listed cross join days` : sql`days`;
  return statement(
    sql`with recursive a as materialized (${chosenSQL(selection)}),
        listed as materialized (${listedSQL}), ${daysSQL(range)}
      select ${prefixed('c')}, ${prefixed('t')} from ${days} ${seriesRows(sides, id)}`,
    (row) => [...cellUnder(row, 'c', sides.control), ...cellUnder(row, 't', sides.test)],
  )();
};

export interface StoredWeek {
  group: string;
  definition: string;
  days: SinceExposure;
}

/** Selects the weeks of a metric in two groups, of an analysis with the rollup of weeks. */
export const readWeeks = (
  selection: Selection,
  sides: Pair,
  to: number | null,
  metric: string,
): Statement<StoredWeek[]> =>
  statement(
    sql`with recursive a as materialized (${chosenSQL(selection)}), ${daysSQL({ from: null, to }, weekLength)}
      select c.definition as c_definition, c.moments as c_moments, t.definition as t_definition, t.moments as t_moments
      from days ${seriesRows(sides, sql`${metric}`)}`,
    (row) =>
      (['c', 't'] as const).flatMap((of) => {
        if (row[`${of}_definition`] === null) return [];
        const { since = {} }: StoredMoments = JSON.parse(String(row[`${of}_moments`]));
        const group = of === 'c' ? sides.control : sides.test;
        return { group, definition: String(row[`${of}_definition`]), days: since };
      }),
  )();

export interface StoredExposures {
  ds: number;
  dimension: string;
  slice: string;
  group: string;
  new: number;
  cumulative: number;
  crossovers: number;
}

const chosenDaySQL = sql`days(ds) as (select ds from a)`;

/** Selects the exposures of each day, or of the chosen one, in all units or in the slices of all dimensions. */
export const readExposuresOf = (
  selection: Selection,
  of: { isDaily: boolean; dimension: string | null },
): Statement<StoredExposures> =>
  statement(
    sql`with recursive a as materialized (${chosenSQL(selection)}),
        ${of.isDaily ? daysSQL({ from: null, to: null }) : chosenDaySQL}
      select m.ds, m.dimension, m.slice, m."group", m.new, m.cumulative, m.crossovers
      from a cross join days cross join analysis_exposures m
        on ${isOfRun} and m.ds = days.ds
          and ${of.dimension === null ? sql`m.dimension <> ''` : sql`m.dimension = ${of.dimension}`}`,
    (row) => ({
      ...placeOfCell(row),
      new: Number(row.new),
      cumulative: Number(row.cumulative),
      crossovers: Number(row.crossovers),
    }),
  )();
