import type { Context } from 'hono';
import type * as z from 'zod';
import type { Pair } from '../../analysis/base/cells.ts';
import { isPlanned } from '../../analysis/plan/metric.ts';
import { readExposuresOf } from '../../analysis/read/series.ts';
import {
  readBaselines,
  readChosen,
  readChosenAnalysis,
  readListedMetrics,
  readSlices,
  type StoredCell,
} from '../../analysis/read/stored.ts';
import { distinct } from '../../base/distinct.ts';
import { Problem } from '../../base/problem.ts';
import { dateOfDay } from '../../base/time.ts';
import { heterogeneityPValue, type SliceChange } from '../../engine/statistics/heterogeneity.ts';
import { minUnitsOfVerdict } from '../../engine/statistics/sequential.ts';
import type { Service } from '../../platform/env.ts';
import type { Answer } from '../base/answer.ts';
import { optionsOf } from '../base/options.ts';
import type { metricResultQuery } from '../base/query.ts';
import type { Result } from '../base/schema.ts';
import {
  asOfRun,
  requireDate,
  requireDimension,
  requireMetric,
  requireSides,
  runOf,
  selectionOf,
  withExperiment,
} from '../base/starts.ts';
import type { Subject } from '../base/subject.ts';
import { subjectsOf } from '../base/subject.ts';
import { loadedDayOf, readScorecardDay, settingOf } from './experiment_results.ts';
import { resultsOf, type ScorecardDay } from './pulse.ts';
import { comparisonOfPair } from './result.ts';
import type { Setting } from './rules/measured.ts';
import { resultTable } from './table.ts';

type MetricResultQuery = z.output<typeof metricResultQuery>;

function dayOfSlices(
  subject: Subject,
  slices: readonly string[],
  day: Omit<ScorecardDay, 'subjects' | 'family'>,
): ScorecardDay {
  const withSlice = (cell: StoredCell, slice: string) => ({ ...cell, metric: slice });
  const plan: Subject['plan'] =
    'type' in subject.plan && subject.plan.type === 'percentile'
      ? { reason: 'not_computable', detail: 'Percentiles are not computed by dimension.' }
      : subject.plan;
  return {
    ...day,
    subjects: slices.map((id) => ({ ...subject, id, plan, isLoaded: true })),
    family: slices.map((id) => ({ id, role: subject.role })),
    cells: day.cells.map((cell) => withSlice(cell, cell.slice)),
    baselines: day.baselines.flatMap((cell) => slices.map((slice) => withSlice(cell, slice))),
  };
}

function changesOf(day: ScorecardDay, sides: Pair, { options, timing }: Setting): SliceChange[] {
  const cells = day.cells.filter(({ ds }) => ds === timing.ds);
  return day.subjects.flatMap(({ id, plan }) => {
    if (!isPlanned(plan)) return [];
    const cellOf = (group: string) =>
      cells.find((cell) => cell.metric === id && cell.group === group);
    const pair = { control: cellOf(sides.control), test: cellOf(sides.test) };
    const { absoluteChange: change, standardError } = comparisonOfPair(
      plan,
      pair,
      options,
    ).comparison;
    return change === null || standardError === null ? [] : [{ change, standardError }];
  });
}

interface Sliced {
  dimension: string | null;
  dimension_value: string | null;
  metric: Result;
}

async function slicedResult(
  c: Context<Service>,
  id: string,
  query: MetricResultQuery,
  dimension: string,
) {
  if (query.rollup !== undefined && query.rollup !== -1)
    throw Problem.property('rollup', 'must be -1 with a dimension');
  const { metricID } = query;
  const selection = selectionOf(id, { ...query, rollup: -1 });
  const [found, [[chosen], [stored], metrics, cells, baselines, slices, exposures]] =
    await withExperiment(c, id, (tx) =>
      tx.read(
        readChosen(selection),
        readChosenAnalysis(selection),
        readListedMetrics(selection, metricID),
        readSlices(selection, metricID, dimension),
        readBaselines(selection, minUnitsOfVerdict, metricID),
        readExposuresOf(selection, { isDaily: false, dimension }),
        readExposuresOf(selection, { isDaily: false, dimension: '' }),
      ),
    );
  const analysis = runOf(found, stored, query.start);
  const experiment = asOfRun(found, analysis);
  requireSides(found, analysis, query);
  requireMetric(analysis, metricID);
  requireDimension(analysis, dimension);
  requireDate(analysis, query.date);
  const subjects = subjectsOf(analysis, metrics, experiment);
  const subject = subjects.find((one) => one.id === metricID);
  const ds = loadedDayOf(analysis, chosen?.ds);
  const rows: Sliced[] = [];
  let heterogeneity: number | null = null;
  if (ds !== null && subject) {
    const values = distinct(slices.map(({ slice }) => slice));
    const options = optionsOf({ ...query, bonferroniPrimaryMetricWeight: undefined }, experiment);
    const setting = settingOf(experiment, analysis, options, { ds, rollup: -1, test: query.test });
    const day = dayOfSlices(subject, values, { analysis, cells, baselines });
    const results = resultsOf(day, query, setting);
    heterogeneity = heterogeneityPValue(changesOf(day, query, setting));
    for (const result of results)
      rows.push({
        ...{ dimension, dimension_value: result.metricID },
        metric: { ...result, metricID },
      });
  }
  return { experiment, chosen, ds, exposures, rows, heterogeneity };
}

async function wholeResult(c: Context<Service>, id: string, query: MetricResultQuery) {
  const loaded = await readScorecardDay(c, id, query);
  const { experiment, analysis, chosen, day, exposures } = loaded;
  requireMetric(analysis, query.metricID);
  const ds = loadedDayOf(analysis, chosen?.ds);
  const rows: Sliced[] = [];
  if (ds !== null && chosen) {
    const place = { ds, rollup: chosen.rollup, test: query.test };
    const setting = settingOf(experiment, analysis, optionsOf(query, experiment), place);
    const one = { ...day, subjects: day.subjects.filter((each) => each.id === query.metricID) };
    const needed = setting.options.corrections;
    const isAlone = !needed.benjaminiPerMetric && !needed.benjaminiPerVariant;
    for (const metric of resultsOf(isAlone ? one : day, query, setting))
      if (metric.metricID === query.metricID)
        rows.push({ dimension: null, dimension_value: null, metric });
  }
  return { experiment, chosen, ds, exposures, rows, heterogeneity: null };
}

/** Returns the result of one metric for all units, or for each value of a dimension. */
export async function pulseMetricResult(
  c: Context<Service>,
  id: string,
  query: MetricResultQuery,
): Promise<Answer> {
  const { dimension } = query;
  const { experiment, chosen, ds, exposures, rows, heterogeneity } = await (dimension === undefined
    ? wholeResult(c, id, query)
    : slicedResult(c, id, query, dimension));
  const date = ds === null ? null : dateOfDay(ds);
  return {
    data: { ds: date, heterogeneityPValue: heterogeneity, dimensionResults: rows },
    chosen,
    csv: () =>
      resultTable(
        rows.map((row) => ({
          date: date ?? '',
          result: row.metric,
          dimension: row.dimension ?? '',
          slice: row.dimension_value ?? '',
        })),
        { experiment, exposures, sides: query },
      ),
  };
}
