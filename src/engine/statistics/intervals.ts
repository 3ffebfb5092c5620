import type { Comparison } from './compare.ts';
import { normalQuantile, studentQuantile } from './distributions.ts';
import { finite } from './finite.ts';

export interface Interval {
  lower: number;
  upper: number;
}

/** Returns the number of standard errors of half an interval at confidence 1 - α; null without inference. */
export function criticalValue(comparison: Comparison, alpha: number): number | null {
  if (!comparison.estimates) return null;
  const { degreesOfFreedom } = comparison;
  return finite(
    degreesOfFreedom === null
      ? -normalQuantile(alpha / 2)
      : -studentQuantile(alpha / 2, degreesOfFreedom),
  );
}

export interface ChangeInterval {
  delta: number | null;
  interval: Interval | null;
}

function boundedBy(lower: number, upper: number): Interval | null {
  if (finite(lower) === null || finite(upper) === null) return null;
  return lower <= upper ? { lower, upper } : { lower: upper, upper: lower };
}

/** Returns the interval of the absolute change for a critical value of Student's t, or an always-valid one. */
export function absoluteInterval(comparison: Comparison, critical: number | null): ChangeInterval {
  const { absoluteChange, standardError } = comparison;
  if (absoluteChange === null || standardError === null || critical === null)
    return { delta: null, interval: null };
  const delta = critical * standardError;
  return {
    delta: finite(delta),
    interval: boundedBy(absoluteChange - delta, absoluteChange + delta),
  };
}

export interface RelativeChange extends ChangeInterval {
  percentChange: number | null;
  reason: 'baseline_near_zero' | null;
}

/** Returns the change in percent of the control mean's size. Fieller's interval (1954) is null if the mean may be 0. */
export function relativeInterval(comparison: Comparison, critical: number | null): RelativeChange {
  const { absoluteChange, controlMean, estimates } = comparison;
  const none = { percentChange: null, delta: null, interval: null };
  if (absoluteChange === null || controlMean === null) return { ...none, reason: null };
  const change = absoluteChange / Math.abs(controlMean);
  const percentChange = finite(100 * change);
  if (percentChange === null) return { ...none, reason: 'baseline_near_zero' };
  if (!estimates || critical === null) return { ...none, percentChange, reason: null };

  // Everything is divided by the control mean, so that no square overflows or vanishes.
  const scale = Math.abs(controlMean);
  const ratio = estimates.test / controlMean;
  const ofTest = estimates.varianceOfTest / scale / scale;
  const ofControl = estimates.varianceOfControl / scale / scale;
  const ofBoth = estimates.covariance / scale / scale;
  const spread = Math.max(0, ofTest - 2 * ratio * ofBoth + ratio * ratio * ofControl);
  const delta = finite(100 * critical * Math.sqrt(spread));
  const square = critical * critical;
  const g = square * ofControl;
  if (!(g < 1)) return { percentChange, delta, interval: null, reason: 'baseline_near_zero' };
  const determinant = ofTest * ofControl - ofBoth * ofBoth;
  const half = critical * Math.sqrt(Math.max(0, spread - square * determinant));
  const center = absoluteChange / controlMean + square * (ofControl - ofBoth);
  const unit = (100 * Math.sign(controlMean)) / (1 - g);
  const interval = boundedBy(unit * (center - half), unit * (center + half));
  return { percentChange, delta, interval, reason: interval ? null : 'baseline_near_zero' };
}
