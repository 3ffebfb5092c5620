import { biasThreshold } from '../../../analysis/day/checks.ts';
import { comparedMoments, comparePast, isBinary } from '../../../analysis/day/pair.ts';
import type { MetricPlan } from '../../../analysis/plan/plan.ts';
import type { StoredPair } from '../../../analysis/read/stored.ts';
import type { Comparison } from '../../../engine/statistics/compare.ts';
import { hasLowCounts, isSkewed } from '../../../engine/statistics/quality.ts';
import type { Experiment } from '../../../experiments/experiments/schema.ts';
import { isPeeking } from './decision.ts';
import type { Setting } from './measured.ts';

export const notUsed = (field: string) => `not_used: ${field}`;

const hasThirdMoments = (plan: MetricPlan): boolean => plan.type === 'units' && plan.d === null;

/** Returns the doubts about a result, and the fields of its metric that have no effect. */
export function resultWarnings(
  plan: MetricPlan,
  pair: StoredPair,
  { standardError }: Comparison,
  { options, timing, isPreliminary }: Setting,
): string[] {
  const [control, test] = [pair.control, pair.test].map((cell) => comparedMoments(cell, plan));
  if (!control || !test || !pair.control || !pair.test) return plan.unused.map(notUsed);
  const past = plan.type === 'percentile' ? null : comparePast(plan, pair).pValue;
  const found = {
    skewed:
      standardError !== null && hasThirdMoments(plan) && isSkewed(control, test, standardError),
    low_counts: isBinary(plan) && [control, test].some(hasLowCounts),
    pre_experiment_bias: past !== null && past < biasThreshold,
    peeking: isPeeking(options, timing),
    preliminary: isPreliminary,
    only_converters: plan.type === 'units' && plan.onlyConverted,
  };
  const doubts = Object.entries(found).flatMap(([name, applies]) => (applies ? [name] : []));
  return [...doubts, ...plan.unused.map(notUsed)];
}

const isSet = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : typeof value === 'number' || Boolean(value);

const unused = [
  'secondaryIDType',
  'identifierMappingMode',
  'identityResolutionSource',
  'stratifiedSampling',
  'cureCovariates',
  'assignmentSourceFilters',
  'turboMode',
  'scheduledReloadType',
  'scheduledReloadHour',
  'scheduledReloadDays',
] as const satisfies readonly (keyof Experiment)[];

const rollups: readonly (number | null | undefined)[] = [-1, 1, 7, null, undefined];

/** Returns the settings of an experiment that are set and have no effect on results. */
export function unusedSettings(experiment: Experiment): string[] {
  const set = unused.filter((name) => isSet(experiment[name]));
  const isOtherRollup = !rollups.includes(experiment.defaultRollupWindow);
  return [...set, ...(isOtherRollup ? ['defaultRollupWindow'] : [])].map(notUsed);
}
