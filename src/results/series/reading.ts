import type { Context } from 'hono';
import type * as z from 'zod';
import { isPlanned } from '../../analysis/plan/metric.ts';
import {
  readBaselines,
  readChosen,
  readChosenAnalysis,
  readListedMetrics,
  type Selection,
} from '../../analysis/read/stored.ts';
import { Problem } from '../../base/problem.ts';
import { dayOfDate } from '../../base/time.ts';
import { minUnitsOfVerdict } from '../../engine/statistics/sequential.ts';
import type { Service } from '../../platform/env.ts';
import type { Statement } from '../../platform/store/sql/statement.ts';
import { optionsOf, type ResultOptions } from '../base/options.ts';
import type { seriesQuery } from '../base/query.ts';
import type { Result } from '../base/schema.ts';
import {
  asOfRun,
  requireDate,
  requireMetric,
  requireSides,
  runOf,
  withExperiment,
} from '../base/starts.ts';
import { rolesOf, type Subject, subjectsOf } from '../base/subject.ts';
import { planIn } from '../scorecard/result.ts';
import { unusedSettings } from '../scorecard/rules/warnings.ts';

/** One comparison for each day: corrections by p-values would need all other metrics of all days. */
const withoutDiscoveryRate = (options: ResultOptions): ResultOptions => ({
  ...options,
  corrections: { ...options.corrections, benjaminiPerMetric: false, benjaminiPerVariant: false },
});

const discoveryRateWarnings = ({ corrections }: ResultOptions): string[] =>
  corrections.benjaminiPerMetric || corrections.benjaminiPerVariant
    ? ['not_used: benjaminiHochberg']
    : [];

export type SeriesQuery = z.output<typeof seriesQuery>;

function requireOrder({ startDate, endDate }: SeriesQuery): void {
  if (startDate !== undefined && endDate !== undefined && endDate < startDate)
    throw Problem.property('endDate', 'must not be before startDate');
}

/** Reads what the results of a metric need in one round trip, with stored numbers of its days. */
export async function readMetric<Numbers>(
  c: Context<Service>,
  selection: Selection,
  query: SeriesQuery,
  numbers: Statement<Numbers>,
) {
  requireOrder(query);
  const { metricID, startDate, endDate } = query;
  const [present, [[chosen], [stored], metrics, baselines, found]] = await withExperiment(
    c,
    selection.id,
    (tx) =>
      tx.read(
        readChosen(selection),
        readChosenAnalysis(selection),
        readListedMetrics(selection, metricID),
        readBaselines(selection, minUnitsOfVerdict, metricID),
        numbers,
      ),
  );
  const analysis = runOf(present, stored, query.start);
  const experiment = asOfRun(present, analysis);
  requireSides(present, analysis, query);
  requireMetric(analysis, metricID);
  requireDate(analysis, startDate, 'startDate');
  requireDate(analysis, endDate, 'endDate');
  const options = optionsOf(query, experiment);
  const subjects = subjectsOf(analysis, metrics, experiment, chosen?.pending).filter(
    ({ id }) => id === metricID,
  );
  return {
    ...{ experiment, analysis, chosen, found, baselines, subjects },
    family: rolesOf(analysis.settings),
    options: withoutDiscoveryRate(options),
    warnings: [...unusedSettings(experiment), ...discoveryRateWarnings(options)],
  };
}

export const dayNumberOf = (date: string | undefined): number | null =>
  date === undefined ? null : dayOfDate(date);

export type Why = Pick<Result, 'reason' | 'reasonDetail'>;

export function whyNoNumbers(subject: Subject | undefined, rollup = -1): Why {
  const plan = subject && planIn(subject, rollup);
  if (!plan || isPlanned(plan)) return { reason: null, reasonDetail: null };
  return { reason: plan.reason, reasonDetail: plan.detail };
}
