import { inArray } from 'drizzle-orm';
import type { Context } from 'hono';
import type { StoredCell } from '../analysis/stored.ts';
import {
  readFirstBaselines,
  readFirstCells,
  readFirstMetrics,
  readPresentAnalyses,
} from '../analysis/stored_summaries.ts';
import type { Service } from '../env.ts';
import { Problem } from '../problem.ts';
import type { Analysis } from '../resources/analyses/table.ts';
import { experimentTable } from '../resources/experiments/columns.ts';
import {
  type ExperimentWithCounts,
  healthOf,
  withStatistics,
  worstOf,
} from '../resources/experiments/health.ts';
import { experiments } from '../resources/experiments/table.ts';
import type { Metric } from '../resources/metrics/schema.ts';
import { distinct } from '../shared/distinct.ts';
import { minUnitsToDecide } from '../statistics/sequential.ts';
import { fromRow } from '../store/entities/mapping.ts';
import { extraColumnOf } from '../store/entities/queries.ts';
import { columnsOf } from '../store/sql/columns.ts';
import { valuesIn } from '../store/sql/expressions.ts';
import { once, query } from '../store/sql/statement.ts';
import { settingOf } from './experiment_results.ts';
import { optionsOf } from './options.ts';
import { resultsOf } from './pulse.ts';
import { asOfRun, dateOf } from './runs.ts';
import { rolesOf, subjectsOf } from './subject.ts';

const maxIDs = 100;

/** Returns the IDs of a query. @throws Problem 400 for too many */
export function idsIn(text: string): string[] {
  const ids = distinct(text.split(',').filter((id) => id !== ''));
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
  analysis: Analysis | undefined;
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
  return { ...common, ds: dateOf(ds), metric };
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
      readFirstBaselines(ids, minUnitsToDecide),
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
