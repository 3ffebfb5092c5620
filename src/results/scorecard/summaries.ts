import { inArray } from 'drizzle-orm';
import type { Context } from 'hono';
import type { StoredCell } from '../../analysis/read/stored.ts';
import {
  readFirstBaselines,
  readFirstCells,
  readFirstMetrics,
  readPresentAnalyses,
} from '../../analysis/read/summaries.ts';
import { Problem } from '../../base/problem.ts';
import { dateOfDay } from '../../base/time.ts';
import type { Metric } from '../../data/metrics/schema.ts';
import { minUnitsOfVerdict } from '../../engine/statistics/sequential.ts';
import {
  type ExperimentWithCounts,
  healthOf,
  withStatistics,
  worstOf,
} from '../../experiments/experiments/checks/health.ts';
import { experiments, experimentTable } from '../../experiments/experiments/table.ts';
import type { Start } from '../../experiments/starts/table.ts';
import type { Service } from '../../platform/env.ts';
import { fromRow } from '../../platform/store/entities/mapping.ts';
import { extraColumnOf } from '../../platform/store/entities/queries.ts';
import { columnsOf } from '../../platform/store/sql/columns.ts';
import { valuesIn } from '../../platform/store/sql/expressions.ts';
import { once, query } from '../../platform/store/sql/statement.ts';
import { optionsOf } from '../base/options.ts';
import { idsInParameter } from '../base/query.ts';
import { asOfRun } from '../base/starts.ts';
import { rolesOf, subjectsOf } from '../base/subject.ts';
import { settingOf } from './experiment_results.ts';
import { resultsOf } from './pulse.ts';

const maxIDs = 100;

/** Returns the IDs of a query. @throws Problem 400 for too many */
export function experimentIDs(text: string): string[] {
  const ids = idsInParameter(text);
  if (ids.length === 0) throw Problem.property('ids', 'must name an experiment');
  if (ids.length > maxIDs) throw Problem.property('ids', `must name at most ${maxIDs} experiments`);
  return ids;
}

const readExperiments = (ids: readonly string[]) => {
  const found = once(
    query
      .select({ ...columnsOf(experimentTable), ...extraColumnOf(experiments.list.extraColumn) })
      .from(experimentTable)
      .where(inArray(experimentTable.id, valuesIn(JSON.stringify(ids)))),
  );
  return {
    ...found,
    decode: (row: Record<string, unknown>): ExperimentWithCounts =>
      fromRow(experiments, found.decode(row)),
  };
};

interface Loaded {
  experiment: ExperimentWithCounts;
  analysis: Start | undefined;
  metrics: readonly Metric[];
  cells: readonly StoredCell[];
  baselines: readonly StoredCell[];
}

function summaryOf({ experiment, analysis, metrics, cells, baselines }: Loaded) {
  const controlGroupID = experiment.controlGroupID;
  const test = experiment.groups.find(({ id }) => id !== controlGroupID)?.id ?? null;
  const common = {
    id: experiment.id,
    controlGroupID,
    testGroupID: test,
    healthCheckStatus: worstOf(healthOf(experiment)),
  };
  const ds = analysis?.loadedDay ?? null;
  const [first] = analysis?.settings.primaryMetrics ?? [];
  if (!analysis || test === null || ds === null) return { ...common, ds: null, metric: null };
  const options = optionsOf({}, experiment);
  const corrections = {
    ...options.corrections,
    benjaminiPerMetric: false,
    benjaminiPerVariant: false,
  };
  const setting = settingOf(
    experiment,
    analysis,
    { ...options, corrections },
    { ds, rollup: -1, test },
  );
  const [metric = null] = resultsOf(
    {
      ...{ analysis, cells, baselines },
      subjects: subjectsOf(analysis, metrics, experiment).filter(({ id }) => id === first),
      family: rolesOf(analysis.settings),
    },
    { control: controlGroupID, test },
    setting,
  );
  return { ...common, ds: dateOfDay(ds), metric };
}

/** Returns the first primary metric of each started experiment; others are left out. */
export async function pulseSummaries(c: Context<Service>, ids: readonly string[]) {
  const [found, present, metrics, cells, baselines] = await c
    .get('db')
    .read(
      readExperiments(ids),
      readPresentAnalyses(ids),
      readFirstMetrics(ids),
      readFirstCells(ids),
      readFirstBaselines(ids, minUnitsOfVerdict),
    );
  const analysisFor = new Map(present.map((analysis) => [analysis.id, analysis]));
  const cellsOf = Map.groupBy(cells, ({ experimentID }) => experimentID);
  const baselinesOf = Map.groupBy(baselines, ({ experimentID }) => experimentID);
  const byID = new Map(
    (await withStatistics(found)).map((experiment) => [experiment.id, experiment]),
  );
  return ids.flatMap((id) => {
    const experiment = byID.get(id);
    if (!experiment?.startTime) return [];
    const analysis = analysisFor.get(id);
    const shown = analysis ? asOfRun(experiment, analysis) : experiment;
    const own = { cells: cellsOf.get(id) ?? [], baselines: baselinesOf.get(id) ?? [] };
    return [summaryOf({ experiment: shown, analysis, metrics, ...own })];
  });
}
