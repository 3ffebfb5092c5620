import { finite } from './finite.ts';
import type { Moments } from './moments.ts';

/** Above this skewness of the change, Welch's test at 5% has more than 5.5% false positives. */
const maxSkewness = 0.25;

/** Returns the skewness of the difference of two means, by pooled third moments. Null without variance. */
export function skewnessOfChange(
  control: Moments,
  test: Moments,
  standardError: number,
): number | null {
  const third = (test.yyy + control.yyy) / (test.n + control.n);
  const imbalance = 1 / test.n ** 2 - 1 / control.n ** 2;
  return finite((third / standardError / standardError / standardError) * imbalance);
}

/** Whether the groups are too unequal, and the metric too skewed, for its p-value to be exact. */
export function isSkewed(control: Moments, test: Moments, standardError: number): boolean {
  const skewness = skewnessOfChange(control, test, standardError);
  return skewness !== null && Math.abs(skewness) > maxSkewness;
}

/** Below this number of successes or failures in a group, the distribution of a rate is not yet normal. */
const minCounts = 5;

/** Whether a group of a metric of 0 and 1 has few successes or failures. */
export const hasLowCounts = ({ n, meanY }: Moments): boolean =>
  Math.round(n * Math.min(meanY, 1 - meanY)) < minCounts;
