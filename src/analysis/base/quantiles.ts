import type { UnitValues } from '../../engine/statistics/moments.ts';
import { rankAt } from '../../engine/statistics/ranks.ts';
import type { Thresholds } from '../../engine/statistics/winsorization.ts';
import type { MetricPlan, Quantity } from '../plan/plan.ts';

export type MomentPart = keyof UnitValues;

export interface Extremes {
  count: number;
  top: number[];
  bottom: number[];
}

export type ExtremesOf = Record<string, Partial<Record<MomentPart, Extremes>>>;
export type LimitsOf = Record<string, Partial<Record<MomentPart, Thresholds>>>;

type Winsorize = Quantity['winsorize'];

/** Returns the winsorization of each part; a part before the exposure is treated like the one after it. */
export function winsorizations(
  plan: MetricPlan,
): Partial<Record<MomentPart, NonNullable<Winsorize>>> {
  if (plan.type === 'percentile') return {};
  const [y, d] =
    plan.type === 'funnel'
      ? [plan.winsorizes.y, plan.winsorizes.d]
      : [plan.y.winsorize, plan.d?.winsorize];
  return { ...(y && { y, x: y }), ...(d && { d, m: d }) };
}

/** Whether winsorization can change one of so many values: the highest rank is not always the largest value. */
export const needsLimits = (plan: MetricPlan, units: number): boolean =>
  Object.values(winsorizations(plan)).some(
    ({ high, low }) => low > 0 || rankAt(high, units) < units,
  );

function largest(values: number[], count: number, compare: (a: number, b: number) => number) {
  return values.sort(compare).slice(0, count);
}

const none: Extremes = { count: 0, top: [], bottom: [] };

/** Adds values of some units to the extremes. `units` is the number of all units of the analysis. */
export function extremesWithValues(
  known: Extremes = none,
  values: readonly number[],
  { high, low }: NonNullable<Winsorize>,
  units: number,
): Extremes {
  const nonZero = values.filter((value) => value !== 0);
  const keeps = {
    top: high < 1 ? Math.ceil((1 - high) * units) + 1 : 0,
    bottom: low > 0 ? Math.ceil(low * units) + 1 : 0,
  };
  return {
    count: known.count + nonZero.length,
    top: largest([...known.top, ...nonZero], keeps.top, (a, b) => b - a),
    bottom: largest([...known.bottom, ...nonZero], keeps.bottom, (a, b) => a - b),
  };
}

/** Returns the bounds of winsorization from the extremes of all units. */
export const limitsOf = (
  { count, top, bottom }: Extremes,
  { high, low }: NonNullable<Winsorize>,
): Thresholds => ({
  upper: high < 1 ? (top[count - rankAt(high, count)] ?? null) : null,
  lower: low > 0 ? (bottom[rankAt(low, count) - 1] ?? null) : null,
});
