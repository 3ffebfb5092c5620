import { isDecidedStart } from '../../analysis/base/days.ts';
import type { MetricPlan, NoPlan } from '../../analysis/plan/plan.ts';
import { metricsFor, plansOf } from '../../analysis/work/plans.ts';
import { metricID } from '../../base/naming.ts';
import type { Metric } from '../../data/metrics/schema.ts';
import type { Prior } from '../../engine/statistics/bayesian.ts';
import type { Experiment } from '../../experiments/experiments/schema.ts';
import type { Start, StartSettings } from '../../experiments/starts/table.ts';

export interface Subject {
  id: string;
  name: string;
  role: 'primary' | 'secondary' | 'other';
  directionality: 'increase' | 'decrease';
  plan: MetricPlan | NoPlan;
  /** In percent of the mean; null without one. */
  hypothesizedValue: number | null;
  prior: Prior | null;
  isLoaded: boolean;
}

const roles = [
  ['primary', 'primaryMetrics'],
  ['secondary', 'secondaryMetrics'],
  ['other', 'otherMetrics'],
] as const;

/** Returns the metrics of an analysis, each with its first role. */
export function rolesOf(settings: StartSettings): { id: string; role: Subject['role'] }[] {
  const known = new Map<string, Subject['role']>();
  for (const [role, list] of roles)
    for (const id of settings[list]) known.set(id, known.get(id) ?? role);
  return [...known].map(([id, role]) => ({ id, role }));
}

const listingsOfMetric = (experiment: Experiment | undefined, id: string) =>
  roles
    .flatMap(([, list]) => experiment?.[list] ?? [])
    .filter((reference) => metricID(reference) === id);

function priorOf(experiment: Experiment | undefined, id: string): Prior | null {
  const own = experiment?.bayesianPriors?.find(({ metric }) => metricID(metric) === id);
  return own ? { mean: own.priorMean, standardDeviation: own.priorStdDev } : null;
}

/** Returns the existing metrics of an analysis with the properties that results need. `pending`: a load has not ended these. */
export function subjectsOf(
  analysis: Start,
  found: readonly Metric[],
  experiment?: Experiment,
  pending: readonly string[] = [],
): Subject[] {
  const byID = metricsFor(analysis, new Map(found.map((metric) => [metric.id, metric])));
  const plans = plansOf(analysis, byID);
  return rolesOf(analysis.settings).flatMap(({ id, role }) => {
    const [metric, plan] = [byID.get(id), plans.get(id)];
    if (!metric || !plan) return [];
    const references = listingsOfMetric(experiment, id);
    const direction = references.find(({ direction: own }) => own)?.direction;
    const hypothesis = references.find(({ hypothesizedValue: own }) => own !== undefined);
    return [
      {
        ...{ id, name: metric.name, role, plan },
        directionality: direction ?? metric.directionality,
        hypothesizedValue: hypothesis?.hypothesizedValue ?? null,
        prior: priorOf(experiment, id),
        isLoaded:
          isDecidedStart(analysis) ||
          (analysis.settings.definitions[id] !== undefined && !pending.includes(id)),
      },
    ];
  });
}
