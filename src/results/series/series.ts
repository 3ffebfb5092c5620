import type { Context } from 'hono';
import type * as z from 'zod';
import type { Pair } from '../../analysis/base/cells.ts';
import { comparePair } from '../../analysis/day/pair.ts';
import { isPlanned } from '../../analysis/plan/metric.ts';
import type { MetricPlan } from '../../analysis/plan/plan.ts';
import { type Range, readSeries } from '../../analysis/read/series.ts';
import {
  readChosen,
  readChosenAnalysis,
  readListedMetrics,
  type StoredCell,
} from '../../analysis/read/stored.ts';
import { distinct } from '../../base/distinct.ts';
import { dateOfDay } from '../../base/time.ts';
import { relativeInterval } from '../../engine/statistics/intervals.ts';
import type { Experiment } from '../../experiments/experiments/schema.ts';
import type { Start } from '../../experiments/starts/table.ts';
import type { Service } from '../../platform/env.ts';
import type { Answer } from '../base/answer.ts';
import type { ResultOptions } from '../base/options.ts';
import type { sparksQuery } from '../base/query.ts';
import type { Result } from '../base/schema.ts';
import { asOfRun, requireSides, runOf, selectionOf, withExperiment } from '../base/starts.ts';
import { type rolesOf, type Subject, subjectsOf } from '../base/subject.ts';
import { settingOf } from '../scorecard/experiment_results.ts';
import { resultsOf } from '../scorecard/pulse.ts';
import { resultTable } from '../scorecard/table.ts';
import { dayNumberOf, readMetric, type SeriesQuery, whyNoNumbers } from './reading.ts';
import { seriesSinceExposure } from './since.ts';

interface Series {
  experiment: Experiment;
  analysis: Start;
  subjects: readonly Subject[];
  family: ReturnType<typeof rolesOf>;
  cells: readonly StoredCell[];
  baselines: readonly StoredCell[];
  sides: Pair;
  options: ResultOptions;
  rollup: number;
  range: Range;
}

const daysWithCells = (cells: readonly StoredCell[]): number[] =>
  distinct(cells.map(({ ds }) => ds)).sort((a, b) => a - b);

function pointsOf(series: Series): ({ ds: string } & Result)[] {
  const { experiment, options, rollup, sides, range, ...day } = series;
  const { from, to } = range;
  const isWanted = (ds: number) => ds >= (from ?? ds) && ds <= (to ?? ds);
  return daysWithCells(day.cells)
    .filter(isWanted)
    .flatMap((ds) => {
      const setting = settingOf(experiment, day.analysis, options, {
        ds,
        rollup,
        test: sides.test,
      });
      return resultsOf(day, sides, setting).map((result) => ({ ds: dateOfDay(ds), ...result }));
    });
}

async function seriesByDay(c: Context<Service>, id: string, query: SeriesQuery): Promise<Answer> {
  const { metricID, view = 'cumulative' } = query;
  const rollup = view === 'daily' ? 1 : -1;
  const selection = selectionOf(id, { ...query, rollup });
  const range = { from: dayNumberOf(query.startDate), to: dayNumberOf(query.endDate) };
  const cells = readSeries(selection, query, range, metricID);
  const read = await readMetric(c, selection, query, cells);
  const { experiment, chosen, warnings } = read;
  const points = pointsOf({ ...read, cells: read.found.flat(), rollup, range, sides: query });
  return {
    data: { metricID, view, points, ...whyNoNumbers(read.subjects[0], rollup), warnings },
    chosen,
    csv: () =>
      resultTable(
        points.map((result) => ({ date: result.ds, result, dimension: '', slice: '' })),
        { experiment, exposures: [], sides: query },
      ),
  };
}

function sparkPoints(
  plan: MetricPlan,
  cells: readonly StoredCell[],
  { control, test }: Pair,
  withCuped: boolean,
) {
  return daysWithCells(cells).map((ds) => {
    const cellOf = (id: string) => cells.find((cell) => cell.ds === ds && cell.group === id);
    const pair = { control: cellOf(control), test: cellOf(test) };
    const { percentChange } = relativeInterval(comparePair(plan, pair, withCuped), null);
    return { ds: dateOfDay(ds), percentChange };
  });
}

/** Returns the relative change of each metric on each day. */
export async function pulseSparks(
  c: Context<Service>,
  id: string,
  query: z.output<typeof sparksQuery>,
): Promise<Answer> {
  const selection = selectionOf(id, { ...query, rollup: -1 });
  const whole = { from: null, to: null };
  const [present, [[chosen], [stored], metrics, found]] = await withExperiment(c, id, (tx) =>
    tx.read(
      readChosen(selection),
      readChosenAnalysis(selection),
      readListedMetrics(selection),
      readSeries(selection, query, whole),
    ),
  );
  const analysis = runOf(present, stored, query.start);
  const experiment = asOfRun(present, analysis);
  requireSides(present, analysis, query);
  const cellsOf = Map.groupBy(found.flat(), ({ metric }) => metric);
  const data = subjectsOf(analysis, metrics, experiment).map(({ id: metricID, plan }) => ({
    metricID,
    points: isPlanned(plan)
      ? sparkPoints(plan, cellsOf.get(metricID) ?? [], query, query.cuped ?? true)
      : [],
  }));
  return { data, chosen };
}

/** Returns the results of one metric for each day, or for each day since the exposure. */
export const pulseSeries = (
  c: Context<Service>,
  id: string,
  query: SeriesQuery,
): Promise<Answer> =>
  query.view === 'days_since_exposure'
    ? seriesSinceExposure(c, id, query)
    : seriesByDay(c, id, query);
