import type { Context } from 'hono';
import {
  type Cell,
  type SinceExposure,
  sinceDimension,
  storedMoments,
} from '../../analysis/base/cells.ts';
import { mergedSince, sinceRollup, whyNotSince } from '../../analysis/day/since.ts';
import { definitionOf } from '../../analysis/plan/metric.ts';
import { readWeeks, type StoredWeek } from '../../analysis/read/series.ts';
import type { StoredCell } from '../../analysis/read/stored.ts';
import { dateOfDay, dayOfTime } from '../../base/time.ts';
import type { Service } from '../../platform/env.ts';
import type { Answer } from '../base/answer.ts';
import { selectionOf } from '../base/starts.ts';
import type { Subject } from '../base/subject.ts';
import { settingOf } from '../scorecard/experiment_results.ts';
import { resultsOf } from '../scorecard/pulse.ts';
import { resultTable } from '../scorecard/table.ts';
import { dayNumberOf, readMetric, type SeriesQuery, type Why, whyNoNumbers } from './reading.ts';

function whyNot(subject: Subject | undefined): Why {
  const detail = subject && whyNotSince(subject.plan);
  const known = whyNoNumbers(subject);
  if (known.reason !== null || !subject) return known;
  if (detail !== undefined) return { reason: 'not_computable', reasonDetail: detail };
  if (subject.role !== 'other') return known;
  const reasonDetail =
    'Only primary and secondary metrics have results by days since the exposure.';
  return { reason: 'not_computable', reasonDetail };
}

const definitionIn = (subject: Subject | undefined) => subject && definitionOf(subject.plan);

const daysOfGroup = (weeks: readonly StoredWeek[], group: string): SinceExposure =>
  Object.assign({}, ...weeks.filter((week) => week.group === group).map(({ days }) => days));

const sinceCell = (
  { group, moments, skipped, ...more }: Cell,
  { metric, ds }: Pick<StoredCell, 'metric' | 'ds'>,
): StoredCell => ({
  ...{ metric, ds, dimension: '', slice: '', group, n: moments.n, skipped },
  moments: storedMoments({ group, moments, skipped, ...more }),
  ...{ upper: null, upperDenominator: null },
});

/** Returns the results of one metric for each day since the exposure, over all units with this day. */
export async function seriesSinceExposure(
  c: Context<Service>,
  id: string,
  query: SeriesQuery,
): Promise<Answer> {
  const { metricID, view, control, test } = query;
  const selection = selectionOf(id, { ...query, rollup: sinceRollup });
  const endDay = dayNumberOf(query.endDate);
  const weeks = readWeeks(selection, query, endDay, metricID);
  const read = await readMetric(c, selection, query, weeks);
  const { experiment, analysis, chosen, warnings, options } = read;
  const first = dayOfTime(analysis.start);
  const last = Math.min(chosen?.ds ?? first - 1, endDay ?? Number.POSITIVE_INFINITY);
  const from = Math.max(first, dayNumberOf(query.startDate) ?? first);
  const present = read.found
    .flat()
    .filter(({ definition }) => definition === definitionIn(read.subjects[0]));
  const groups = new Map([control, test].map((group) => [group, daysOfGroup(present, group)]));
  const why = whyNot(read.subjects[0]);
  const cells =
    why.reason === null && from <= last ? mergedSince(groups, { from, to: last }) : undefined;
  const place = { ds: last, rollup: 1, test };
  // A point is of no day of the calendar, of whose total it could be a part.
  const setting = { ...settingOf(experiment, analysis, options, place), days: Number.NaN };
  const points = [...Map.groupBy(cells ?? [], ({ slice }) => Number(slice))]
    .sort(([one], [other]) => one - other)
    .flatMap(([day, own]) => {
      const stored = own.map((cell) => sinceCell(cell, { metric: metricID, ds: last }));
      const results = resultsOf({ ...read, cells: stored }, { control, test }, setting);
      return results.map((result) => ({ day, ...result }));
    });
  const notLoaded = { reason: 'not_loaded' as const, reasonDetail: null };
  return {
    data: {
      ...{ metricID, view, points },
      ...(why.reason === null && !cells && (last < first || from <= last) ? notLoaded : why),
      warnings,
    },
    chosen,
    csv: () =>
      resultTable(
        points.map((result) => ({
          ...{ date: dateOfDay(last), result },
          ...{ dimension: sinceDimension, slice: String(result.day) },
        })),
        { experiment, exposures: [], sides: query },
      ),
  };
}
