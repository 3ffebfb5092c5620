import { comparedMoments, comparePair, isStable } from '../../analysis/day/pair.ts';
import { isPlanned } from '../../analysis/plan/metric.ts';
import type { MetricPlan } from '../../analysis/plan/plan.ts';
import type { StoredCell, StoredPair } from '../../analysis/read/stored.ts';
import {
  chanceToBeat,
  credibleInterval,
  expectedLoss,
  posteriorOf,
} from '../../engine/statistics/bayesian.ts';
import { type Comparison, withoutInference } from '../../engine/statistics/compare.ts';
import { finite } from '../../engine/statistics/finite.ts';
import {
  absoluteInterval,
  criticalValue,
  relativeInterval,
} from '../../engine/statistics/intervals.ts';
import { reversePower } from '../../engine/statistics/power.ts';
import { sequentialCriticalValue } from '../../engine/statistics/sequential.ts';
import { cohensD, type Sprt, sprtOf } from '../../engine/statistics/sprt.ts';
import type { ResultOptions } from '../base/options.ts';
import type { Result } from '../base/schema.ts';
import type { Subject } from '../base/subject.ts';
import { impactOf } from './impact.ts';
import { alwaysValid, basisOf } from './rules/decision.ts';
import type { Measured, Setting } from './rules/measured.ts';
import { isSignificant } from './rules/significance.ts';
import { resultWarnings } from './rules/warnings.ts';

const noNumbers = {
  ...{ testMean: null, controlMean: null, testStd: null, controlStd: null },
  ...{ testUnits: null, controlUnits: null, testTotal: null, controlTotal: null },
  ...{ absoluteChange: null, confidenceInterval: null, confidenceIntervalDelta: null },
  ...{ percentChange: null, percentConfidenceInterval: null, percentConfidenceIntervalDelta: null },
  ...{ degreesOfFreedom: null, pValue: null, adjustedPValue: null, reversePower: null },
  sequentialTestingPValue: null,
  sequentialTestingConfidenceInterval: null,
  sequentialTestingConfidenceIntervalDelta: null,
  percentSequentialTestingConfidenceInterval: null,
  percentSequentialTestingConfidenceIntervalDelta: null,
  ...{ absoluteToplineImpact: null, absoluteToplineImpactDelta: null },
  ...{ relativeToplineImpact: null, relativeToplineImpactDelta: null },
  ...{ projectedAbsoluteToplineImpact: null, projectedAbsoluteToplineImpactDelta: null },
  ...{ projectedRelativeToplineImpact: null, projectedRelativeToplineImpactDelta: null },
  ...{ winsorizationThreshold: null, winsorizationThresholdDenominator: null, skippedEvents: null },
  ...{ cuped: null, bayesian: null, sprt: null, funnel: null, significant: false, warnings: [] },
};

function stepRate(cell: StoredCell | undefined, step: number): number | null {
  const steps = cell?.moments.steps ?? [];
  const [before = 0, after = 0] = [steps[step - 1], steps[step]];
  return before > 0 ? after / before : null;
}

function secondsOf(cell: StoredCell | undefined): number | null {
  const { n = 0, meanY = 0 } = cell?.moments.seconds ?? {};
  return n > 0 ? meanY : null;
}

/** Returns the steps of a funnel; null for another metric. */
function funnelOf(plan: MetricPlan, { control, test }: StoredPair): Result['funnel'] {
  if (plan.type !== 'funnel') return null;
  return {
    stepRates: plan.steps.slice(1).map((_, index) => ({
      test: stepRate(test, index + 1),
      control: stepRate(control, index + 1),
    })),
    timeToConvert: plan.measuresTime
      ? { test: secondsOf(test), control: secondsOf(control) }
      : null,
  };
}

/** Returns the change of a metric, without inference if its denominator may be 0. */
export function comparisonOfPair(
  plan: MetricPlan,
  pair: StoredPair,
  { alpha, withCuped }: ResultOptions,
) {
  const comparison = comparePair(plan, pair, withCuped);
  const critical = criticalValue(comparison, alpha);
  const isUnstable = critical !== null && !isStable(plan, pair, critical);
  if (!isUnstable) return { comparison, isUnstable };
  const { controlMean, testMean } = comparePair(plan, pair, false);
  const plain = withoutInference(
    'not_computable',
    controlMean ?? Number.NaN,
    testMean ?? Number.NaN,
  );
  return { comparison: plain, isUnstable };
}

function standardErrorOf(
  cell: StoredCell | undefined,
  plan: MetricPlan,
  variance: number | undefined,
) {
  if (variance !== undefined) return finite(Math.sqrt(variance));
  if (plan.type === 'percentile') return cell?.moments.percentile?.standardError ?? null;
  const { n, yy } = comparedMoments(cell, plan);
  return n > 1 ? finite(Math.sqrt(Math.max(0, yy) / (n - 1) / n)) : null;
}

function totalOfCell(cell: StoredCell | undefined, plan: MetricPlan): number | null {
  if (plan.type === 'percentile' || !cell) return null;
  const { total, meanY = 0 } = cell.moments;
  return finite(total ?? cell.n * meanY);
}

function bayesianOf({ subject }: Measured, comparison: Comparison, alpha: number) {
  const posterior = posteriorOf(comparison, subject.prior);
  if (!posterior) return null;
  const { directionality } = subject;
  const interval = credibleInterval(posterior, alpha);
  return {
    chanceToBeat: chanceToBeat(posterior, directionality),
    lower: interval?.lower ?? null,
    upper: interval?.upper ?? null,
    expectedLoss: expectedLoss(posterior, directionality).test,
  };
}

function probabilityRatio(
  { subject, pair, baseline }: Measured,
  plan: MetricPlan,
  { t }: Comparison,
  { method, alpha, sprtPower }: ResultOptions,
): Sprt | null {
  const { hypothesizedValue } = subject;
  if (method !== 'sprt' || t === null || hypothesizedValue === null || !baseline) return null;
  const { n, meanY, yy } = comparedMoments(baseline, plan);
  const effect = cohensD(hypothesizedValue / 100, meanY, yy / (n - 1));
  if (effect === null) return null;
  const [controlUnits, testUnits] = [pair.control?.n ?? 0, pair.test?.n ?? 0];
  return sprtOf({ z: t, controlUnits, testUnits, cohensD: effect, alpha, power: sprtPower });
}

function noResultReason(
  { pair, missing }: Measured,
  comparison: Comparison,
  found: { isUnstable: boolean; needsEffect: boolean; isUnbounded: boolean },
): Result['reason'] {
  if (!pair.control && !pair.test) return missing;
  if (found.isUnstable) return 'unstable_denominator';
  if (comparison.reason) return comparison.reason;
  if (found.needsEffect) return 'needs_effect';
  return found.isUnbounded ? 'baseline_near_zero' : null;
}

function plannedResult(measured: Measured, plan: MetricPlan, setting: Setting): Result {
  const { subject, pair, corrected, wasDecided } = measured;
  const { options, timing } = setting;
  const { adjustedAlpha, adjustedPValue } = corrected;
  const { comparison, isUnstable } = comparisonOfPair(plan, pair, options);
  const { estimates, standardError, controlMean } = comparison;
  const units = (pair.control?.n ?? 0) + (pair.test?.n ?? 0);
  const critical = criticalValue(comparison, adjustedAlpha);
  const absolute = absoluteInterval(comparison, critical);
  const relative = relativeInterval(comparison, critical);
  const anytime = estimates ? sequentialCriticalValue(units, timing.mixing, adjustedAlpha) : null;
  const always = absoluteInterval(comparison, anytime);
  const relativeAlways = relativeInterval(comparison, anytime);
  const basis = basisOf(options, timing);
  const alwaysValidPValue = alwaysValid(comparison, units, timing);
  const bayesian = bayesianOf(measured, comparison, adjustedAlpha);
  const sprt = probabilityRatio(measured, plan, comparison, options);
  const { pValue } = comparison;
  const evidence = { basis, pValue, alwaysValidPValue, chance: bayesian?.chanceToBeat, sprt };
  const atAlpha = criticalValue(comparison, options.alpha);
  return {
    metricID: subject.id,
    metricName: subject.name,
    directionality: subject.directionality,
    testMean: comparison.testMean,
    controlMean,
    testStd: standardErrorOf(pair.test, plan, estimates?.fromTest),
    controlStd: standardErrorOf(pair.control, plan, estimates?.fromControl),
    testUnits: pair.test?.n ?? 0,
    controlUnits: pair.control?.n ?? 0,
    testTotal: totalOfCell(pair.test, plan),
    controlTotal: totalOfCell(pair.control, plan),
    absoluteChange: comparison.absoluteChange,
    confidenceInterval: absolute.interval,
    confidenceIntervalDelta: absolute.delta,
    percentChange: relative.percentChange,
    percentConfidenceInterval: relative.interval,
    percentConfidenceIntervalDelta: relative.delta,
    degreesOfFreedom: comparison.degreesOfFreedom,
    pValue,
    adjustedAlpha,
    adjustedPValue,
    reversePower:
      standardError === null || controlMean === null || atAlpha === null
        ? null
        : reversePower(standardError, controlMean, atAlpha),
    sequentialTestingPValue: alwaysValidPValue,
    sequentialTestingConfidenceInterval: always.interval,
    sequentialTestingConfidenceIntervalDelta: always.delta,
    percentSequentialTestingConfidenceInterval: relativeAlways.interval,
    percentSequentialTestingConfidenceIntervalDelta: relativeAlways.delta,
    ...impactOf(plan, pair, setting),
    winsorizationThreshold: pair.test?.upper ?? pair.control?.upper ?? null,
    winsorizationThresholdDenominator:
      pair.test?.upperDenominator ?? pair.control?.upperDenominator ?? null,
    skippedEvents: (pair.control?.skipped ?? 0) + (pair.test?.skipped ?? 0),
    cuped: comparison.cuped,
    bayesian,
    sprt,
    funnel: funnelOf(plan, pair),
    significant: isSignificant(evidence, measured, options.chanceToBeatThreshold),
    significanceBasis: basis === 'sequential' && wasDecided ? 'fixed' : basis,
    warnings: resultWarnings(plan, pair, comparison, setting),
    reason: noResultReason(measured, comparison, {
      isUnstable,
      needsEffect: options.method === 'sprt' && sprt === null,
      isUnbounded: relative.reason !== null,
    }),
    reasonDetail: null,
  };
}

/** Returns the plan, or why the metric has no results of the last days. */
export function planIn(
  { plan, role }: Pick<Subject, 'plan' | 'role'>,
  rollup: number,
): Subject['plan'] {
  if (!isPlanned(plan) || rollup <= 0) return plan;
  const onlyOthers = 'Only primary and secondary metrics have results of 1 and 7 days.';
  if (role === 'other') return { reason: 'not_computable', detail: onlyOthers };
  if (plan.bakeDays < rollup) return plan;
  const detail = `metricBakeDays is ${plan.bakeDays}: no event of these days counts yet.`;
  return { reason: 'not_computable', detail };
}

const notLoaded = { reason: 'not_loaded' as const, detail: null };

/** Returns the result of a metric; without numbers and with the reason if it cannot be computed. */
export function metricResultOf(measured: Measured, setting: Setting): Result {
  const { subject, corrected, pair, missing } = measured;
  const plan = planIn(subject, setting.rollup);
  const isNotLoaded = missing === 'not_loaded' && !pair.control && !pair.test;
  if (isPlanned(plan) && !isNotLoaded) return plannedResult(measured, plan, setting);
  const { reason, detail } = isPlanned(plan) ? notLoaded : plan;
  return {
    ...{ metricID: subject.id, metricName: subject.name, directionality: subject.directionality },
    ...noNumbers,
    adjustedAlpha: corrected.adjustedAlpha,
    significanceBasis: basisOf(setting.options, setting.timing),
    reason,
    reasonDetail: detail,
  };
}
