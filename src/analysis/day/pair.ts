import {
  type Comparison,
  compare,
  compareNormal,
  withoutInference,
} from '../../engine/statistics/compare.ts';
import { type Moments, noMoments } from '../../engine/statistics/moments.ts';
import type { Baseline } from '../../engine/statistics/power.ts';
import { isDenominatorStable, linearized } from '../../engine/statistics/ratio.ts';
import { loadedMoments, type StoredMoments } from '../base/cells.ts';
import type { MetricPlan } from '../plan/plan.ts';

type Stored = { moments: StoredMoments } | undefined;

export interface CellPair<Cell extends Stored = Stored> {
  control: Cell | undefined;
  test: Cell | undefined;
}

const isRatio = (plan: MetricPlan): boolean =>
  plan.type === 'funnel' || (plan.type === 'units' && plan.d !== null);

/** Whether a unit has the value 0 or 1. */
export function isBinary(plan: MetricPlan): boolean {
  if (plan.type === 'funnel') return plan.counts === 'users';
  if (plan.type === 'percentile' || plan.d || plan.logBase !== null) return false;
  const [term, ...others] = plan.y.terms;
  return plan.threshold !== null || (others.length === 0 && term?.aggregate === 'any');
}

const momentsIn = (cell: Stored): Moments => (cell ? loadedMoments(cell.moments) : noMoments);

/** Whether the values of a ratio have a denominator of 0 together. */
export const hasNoDenominator = (cell: Stored, plan: MetricPlan): boolean =>
  isRatio(plan) && momentsIn(cell).meanD === 0;

/** Returns the moments of the values whose means are compared. */
export const comparedMoments = (cell: Stored, plan: MetricPlan): Moments => {
  const moments = momentsIn(cell);
  return isRatio(plan) ? (linearized(moments) ?? moments) : moments;
};

/** Returns the mean and variance for a power analysis; undefined for percentiles and fewer than 2 units. */
export function baselineIn(
  cell: { moments: StoredMoments } | undefined,
  plan: MetricPlan,
): Baseline | undefined {
  if (plan.type === 'percentile' || hasNoDenominator(cell, plan)) return undefined;
  const { n, meanY, yy } = comparedMoments(cell, plan);
  return n < 2 ? undefined : { mean: meanY, variance: yy / (n - 1), isProportion: isBinary(plan) };
}

function comparePercentiles({ control, test }: CellPair): Comparison {
  const [ofControl, ofTest] = [control?.moments.percentile, test?.moments.percentile];
  const [a, b] = [ofControl?.standardError ?? null, ofTest?.standardError ?? null];
  const [from, to] = [ofControl?.value ?? null, ofTest?.value ?? null];
  if (a === null || b === null || from === null || to === null) {
    const reason = ofControl?.reason ?? ofTest?.reason ?? 'no_units';
    return withoutInference(reason, from ?? Number.NaN, to ?? Number.NaN);
  }
  return compareNormal({ value: from, standardError: a }, { value: to, standardError: b });
}

/** Returns the change of a metric from the control group to the test group. */
export function comparePair(plan: MetricPlan, pair: CellPair, withCuped: boolean): Comparison {
  if (plan.type === 'percentile') return comparePercentiles(pair);
  const [control, test] = [momentsIn(pair.control), momentsIn(pair.test)];
  return compare(control, test, { isRatio: isRatio(plan), withCuped });
}

/** Whether the denominators of a ratio are far enough from 0 for its interval; `critical` is its critical value. */
export const isStable = (plan: MetricPlan, pair: CellPair, critical: number): boolean =>
  !isRatio(plan) ||
  [pair.control, pair.test].every((cell) => isDenominatorStable(momentsIn(cell), critical));

const pastMoments = (cell: Stored, plan: MetricPlan): Moments => {
  const { n, meanX, xx } = comparedMoments(cell, plan);
  return { ...noMoments, n, meanY: meanX, yy: xx };
};

/** Returns the change of a metric before the exposure, which no treatment can have caused. */
export const comparePast = (plan: MetricPlan, { control, test }: CellPair): Comparison =>
  compare(pastMoments(control, plan), pastMoments(test, plan));
