import type { MetricPlan, NoPlan } from '../analysis/plan/plan.ts';
import { plansOf } from '../analysis/plans.ts';
import type { Analysis } from '../resources/analyses/table.ts';
import type { Experiment } from '../resources/experiments/schema.ts';
import type { Metric } from '../resources/metrics/schema.ts';
import { distinct } from '../shared/distinct.ts';
import { metricID } from '../shared/naming.ts';
import type { Prior } from '../statistics/bayesian.ts';

/** A metric of an analysis. */
export interface Subject {
  id: string;
  name: string;
  role: 'primary' | 'secondary' | 'other';
  directionality: 'increase' | 'decrease';
  plan: MetricPlan | NoPlan;
  /** In percent of the mean; null without one. */
  hypothesizedValue: number | null;
  prior: Prior | null;
}

const roles = [
  ['primary', 'primaryMetrics'],
  ['secondary', 'secondaryMetrics'],
  ['other', 'otherMetrics'],
] as const;

/** Returns the references of an experiment to a metric, of which the first decides. */
const referencesTo = (experiment: Experiment | undefined, id: string) =>
  roles
    .flatMap(([, list]) => experiment?.[list] ?? [])
    .filter((reference) => metricID(reference) === id);

function priorOf(experiment: Experiment | undefined, id: string): Prior | null {
  const own = experiment?.bayesianPriors?.find(({ metric }) => metricID(metric) === id);
  return own ? { mean: own.priorMean, standardDeviation: own.priorStdDev } : null;
}

/** Returns the metrics of an analysis, each with its first role. A metric that was deleted is left out. */
export function subjectsOf(
  analysis: Analysis,
  found: readonly Metric[],
  experiment?: Experiment,
): Subject[] {
  const byID = new Map(found.map((metric) => [metric.id, metric]));
  const plans = plansOf(analysis, byID);
  const known = new Set<string>();
  return roles.flatMap(([role, list]) =>
    distinct(analysis.settings[list]).flatMap((id) => {
      const [metric, plan] = [byID.get(id), plans.get(id)];
      if (!metric || !plan || known.has(id)) return [];
      known.add(id);
      const references = referencesTo(experiment, id);
      const direction = references.find(({ direction: own }) => own)?.direction;
      const hypothesis = references.find(({ hypothesizedValue: own }) => own !== undefined);
      return [
        {
          ...{ id, name: metric.name, role, plan },
          directionality: direction ?? metric.directionality,
          hypothesizedValue: hypothesis?.hypothesizedValue ?? null,
          prior: priorOf(experiment, id),
        },
      ];
    }),
  );
}
