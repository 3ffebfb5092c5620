import type { Context } from 'hono';
import type * as z from 'zod';
import { comparePair } from '../analysis/pair.ts';
import { isPlanned } from '../analysis/plan/metric.ts';
import type { MetricPlan } from '../analysis/plan/plan.ts';
import {
  readBaselines,
  readChosen,
  readChosenAnalysis,
  readListedMetrics,
  type Selection,
  type StoredCell,
} from '../analysis/stored.ts';
import { type Range, readSeries } from '../analysis/stored_series.ts';
import type { Service } from '../env.ts';
import { Problem } from '../problem.ts';
import type { Analysis } from '../resources/analyses/table.ts';
import type { Experiment } from '../resources/experiments/schema.ts';
import { distinct } from '../shared/distinct.ts';
import { relativeInterval } from '../statistics/intervals.ts';
import { minUnitsToDecide } from '../statistics/sequential.ts';
import type { Answer } from './answer.ts';
import { settingOf } from './experiment_results.ts';
import { type Options, optionsOf } from './options.ts';
import { resultsOf, type Sides } from './pulse.ts';
import type { seriesQuery, sparksQuery } from './query.ts';
import {
  asDecided,
  dateOf,
  dayNumber,
  requireDate,
  requireMetric,
  requireSides,
  runOf,
  selectionOf,
  withExperiment,
} from './runs.ts';
import type { Result } from './schema.ts';
import { rolesOf, type Subject, subjectsOf } from './subject.ts';
import { resultTable } from './table.ts';
import { unusedSettings } from './warnings.ts';

/** One comparison for each day: corrections by p-values would need all other metrics of all days. */
const withoutDiscoveryRate = (options: Options): Options => ({
  ...options,
  corrections: { ...options.corrections, benjaminiPerMetric: false, benjaminiPerVariant: false },
});

const discoveryRateWarnings = ({ corrections }: Options): string[] =>
  corrections.benjaminiPerMetric || corrections.benjaminiPerVariant
    ? ['not_used: benjaminiHochberg']
    : [];

interface Series {
  experiment: Experiment;
  analysis: Analysis;
  subjects: readonly Subject[];
  family: ReturnType<typeof rolesOf>;
  cells: readonly StoredCell[];
  baselines: readonly StoredCell[];
  sides: Sides;
  options: Options;
  rollup: number;
  range: Range;
}

const daysOf = (cells: readonly StoredCell[]): number[] =>
  distinct(cells.map(({ ds }) => ds)).sort((a, b) => a - b);

function pointsOf(series: Series): ({ ds: string } & Result)[] {
  const { experiment, options, rollup, sides, range, ...day } = series;
  const { from, to } = range;
  const isWanted = (ds: number) => ds >= (from ?? ds) && ds <= (to ?? ds);
  return daysOf(day.cells)
    .filter(isWanted)
    .flatMap((ds) => {
      const setting = settingOf(experiment, day.analysis, options, {
        ds,
        rollup,
        test: sides.test,
      });
      return resultsOf(day, sides, setting).map((result) => ({ ds: dateOf(ds), ...result }));
    });
}

function requireOrder({ startDate, endDate }: z.output<typeof seriesQuery>): void {
  if (startDate !== undefined && endDate !== undefined && endDate < startDate)
    throw Problem.property('endDate', 'must not be before startDate');
}

/** Returns the results of one metric for each day. */
export async function pulseSeries(
  c: Context<Service>,
  id: string,
  query: z.output<typeof seriesQuery>,
): Promise<Answer> {
  requireOrder(query);
  const { metricID, view = 'cumulative', startDate, endDate } = query;
  const rollup = view === 'daily' ? 1 : -1;
  const selection: Selection = selectionOf(id, { ...query, rollup });
  const range = {
    from: startDate === undefined ? null : dayNumber(startDate),
    to: endDate === undefined ? null : dayNumber(endDate),
  };
  const [present, [[chosen], [stored], metrics, baselines, found]] = await withExperiment(
    c,
    id,
    (tx) =>
      tx.read(
        readChosen(selection),
        readChosenAnalysis(selection),
        readListedMetrics(selection, metricID),
        readBaselines(selection, minUnitsToDecide, metricID),
        readSeries(selection, query, range, metricID),
      ),
  );
  const analysis = runOf(present, stored, query.start);
  const experiment = asDecided(present, analysis);
  requireSides(experiment, analysis, query);
  requireMetric(analysis, metricID);
  requireDate(analysis, startDate, 'startDate');
  requireDate(analysis, endDate, 'endDate');
  const options = optionsOf(query, experiment);
  const points = pointsOf({
    ...{ experiment, analysis, cells: found.flat(), baselines, rollup, range, sides: query },
    family: rolesOf(analysis.settings),
    subjects: subjectsOf(analysis, metrics, experiment).filter(({ id }) => id === metricID),
    options: withoutDiscoveryRate(options),
  });
  const warnings = [...unusedSettings(experiment), ...discoveryRateWarnings(options)];
  return {
    data: { metricID, view, points, warnings },
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
  { control, test }: Sides,
  withCuped: boolean,
) {
  return daysOf(cells).map((ds) => {
    const cellOf = (id: string) => cells.find((cell) => cell.ds === ds && cell.group === id);
    const pair = { control: cellOf(control), test: cellOf(test) };
    const { percentChange } = relativeInterval(comparePair(plan, pair, withCuped), null);
    return { ds: dateOf(ds), percentChange };
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
  const [experiment, [[chosen], [stored], metrics, found]] = await withExperiment(c, id, (tx) =>
    tx.read(
      readChosen(selection),
      readChosenAnalysis(selection),
      readListedMetrics(selection),
      readSeries(selection, query, whole),
    ),
  );
  const analysis = runOf(experiment, stored, query.start);
  requireSides(experiment, analysis, query);
  const cellsOf = Map.groupBy(found.flat(), ({ metric }) => metric);
  const data = subjectsOf(analysis, metrics, experiment).map(({ id: metricID, plan }) => ({
    metricID,
    points: isPlanned(plan)
      ? sparkPoints(plan, cellsOf.get(metricID) ?? [], query, query.cuped ?? true)
      : [],
  }));
  return { data, chosen };
}
