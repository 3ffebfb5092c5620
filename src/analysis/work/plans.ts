import { distinct } from '../../base/distinct.ts';
import { metricID } from '../../base/naming.ts';
import type { Metric, MetricDefinition } from '../../data/metrics/schema.ts';
import { metrics } from '../../data/metrics/table.ts';
import type { Start, StartSettings } from '../../experiments/starts/table.ts';
import type { LoadJob } from '../../platform/scheduled/budget.ts';
import { schedulerTransaction } from '../../platform/scheduled/transaction.ts';
import { planMetric } from '../plan/metric.ts';
import type { MetricPlan, NoPlan } from '../plan/plan.ts';

export type Plans = ReadonlyMap<string, MetricPlan | NoPlan>;

export const scorecard = ({ primaryMetrics, secondaryMetrics }: StartSettings): string[] =>
  distinct([...primaryMetrics, ...secondaryMetrics]);

export const loadedMetrics = (settings: StartSettings): string[] =>
  distinct([...scorecard(settings), ...settings.otherMetrics]);

const maxDepth = 3;

/** Reads metrics with their components. */
export async function readMetrics(
  { db, now }: Pick<LoadJob, 'db' | 'now'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Metric>> {
  const tx = schedulerTransaction(db, now);
  const found = new Map<string, Metric>();
  let missing = distinct(ids);
  for (let depth = 0; depth < maxDepth && missing.length > 0; depth++) {
    const read = await tx.findMany(metrics, missing);
    for (const metric of read) found.set(metric.id, metric);
    const components = read.flatMap((metric) => metric.metricComponentMetrics.map(metricID));
    missing = distinct(components).filter((id) => !found.has(id));
  }
  return found;
}

type MetricDefinitions = ReadonlyMap<string, MetricDefinition>;

/** Returns the metrics at the decision, or the given ones before it. */
export function metricsFor(
  { settings: { decided } }: Start,
  found: MetricDefinitions,
): MetricDefinitions {
  if (!decided?.metrics) return found;
  return new Map(decided.metrics.map(({ settings, ...own }) => [own.id, { ...own, ...settings }]));
}

/** Returns how each metric of an analysis is computed; a metric that does not exist is left out. */
export function plansOf(analysis: Start, all: MetricDefinitions): Plans {
  const { unitType, settings } = analysis;
  const found = metricsFor(analysis, all);
  const { dimensions, cohortDays, waitsForCohort, uploaded = [] } = settings;
  const context = {
    ...{ unitType, dimensions, cohortDays, waitsForCohort, uploaded },
    find: (id: string) => found.get(id),
  };
  return new Map(
    loadedMetrics(settings).flatMap((id) => {
      const metric = found.get(id);
      return metric ? [[id, planMetric(metric, context)] as const] : [];
    }),
  );
}
