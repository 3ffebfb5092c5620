import { comparePair } from '../../analysis/day/pair.ts';
import { isTotal } from '../../analysis/plan/metric.ts';
import type { MetricPlan } from '../../analysis/plan/plan.ts';
import type { StoredPair } from '../../analysis/read/stored.ts';
import { absoluteInterval, criticalValue } from '../../engine/statistics/intervals.ts';
import { type Impact, toplineImpact } from '../../engine/statistics/topline.ts';
import type { Setting } from './rules/measured.ts';

const noImpact: Impact = {
  absolute: null,
  absoluteDelta: null,
  relative: null,
  relativeDelta: null,
};

function impacts(plan: MetricPlan, pair: StoredPair, setting: Setting) {
  const none = { topline: noImpact, projected: noImpact };
  if (!isTotal(plan)) return none;
  const comparison = comparePair(plan, pair, false);
  const { absoluteChange } = comparison;
  const { delta } = absoluteInterval(comparison, criticalValue(comparison, setting.options.alpha));
  if (absoluteChange === null || delta === null) return none;
  const days = setting.days - plan.bakeDays;
  if (days <= 0) return none;
  const { testShare } = setting;
  const testUnits = pair.test?.n ?? 0;
  // Daily totals are computed from events.
  const { dailyTotal = Number.NaN } = plan.uploads ? {} : (pair.test?.moments ?? {});
  return toplineImpact({ absoluteChange, delta, testUnits, days, dailyTotal, testShare });
}

/** Returns what the test group changes of the daily total of a metric, without adjustment by earlier values. */
export function impactOf(plan: MetricPlan, pair: StoredPair, setting: Setting) {
  const { topline, projected } = impacts(plan, pair, setting);
  return {
    absoluteToplineImpact: topline.absolute,
    absoluteToplineImpactDelta: topline.absoluteDelta,
    relativeToplineImpact: topline.relative,
    relativeToplineImpactDelta: topline.relativeDelta,
    projectedAbsoluteToplineImpact: projected.absolute,
    projectedAbsoluteToplineImpactDelta: projected.absoluteDelta,
    projectedRelativeToplineImpact: projected.relative,
    projectedRelativeToplineImpactDelta: projected.relativeDelta,
  };
}
