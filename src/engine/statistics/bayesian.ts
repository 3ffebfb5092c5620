import type { Comparison } from './compare.ts';
import { normalCdf, normalDensity, normalQuantile } from './distributions.ts';
import { finite } from './finite.ts';
import type { Interval } from './intervals.ts';

export interface Prior {
  mean: number;
  standardDeviation: number;
}

export interface Posterior {
  mean: number;
  standardDeviation: number;
}

const posterior = (mean: number, standardDeviation: number): Posterior | null =>
  standardDeviation > 0 && finite(mean / standardDeviation) !== null && finite(mean) !== null
    ? { mean, standardDeviation }
    : null;

/** Returns the posterior of the absolute change; its prior is scaled by the control mean. Null without either. */
export function posteriorOf(
  {
    absoluteChange,
    standardError,
    controlMean,
  }: Pick<Comparison, 'absoluteChange' | 'standardError' | 'controlMean'>,
  prior: Prior | null,
): Posterior | null {
  if (absoluteChange === null || standardError === null || controlMean === null) return null;
  if (prior === null) return posterior(absoluteChange, standardError);
  const scale = Math.abs(controlMean);
  const spread = prior.standardDeviation * scale;
  if (!(spread > 0)) return null;
  const both = Math.hypot(spread, standardError);
  const weight = (spread / both) ** 2;
  const mean = prior.mean * scale * (1 - weight) + absoluteChange * weight;
  return posterior(mean, (spread / both) * standardError);
}

/** Returns the probability that the change is in the desired direction. */
export const chanceToBeat = (
  { mean, standardDeviation }: Posterior,
  direction: 'increase' | 'decrease',
): number => normalCdf((direction === 'increase' ? mean : -mean) / standardDeviation);

/** Returns the interval that contains the change with probability 1 - α. */
export function credibleInterval(
  { mean, standardDeviation }: Posterior,
  alpha: number,
): Interval | null {
  const delta = -normalQuantile(alpha / 2) * standardDeviation;
  const [lower, upper] = [finite(mean - delta), finite(mean + delta)];
  return lower === null || upper === null ? null : { lower, upper };
}

/** Returns 1 - z·Φ(-z)/φ(z) of z > 5 by the continued fraction of Mills' ratio, without cancellation. */
function millsRemainder(z: number): number {
  let tail = z;
  for (let k = 60; k > 1; k--) tail = z + k / tail;
  return 1 / (z * tail + 1);
}

/** Returns E[max(0, -X)] of a normal X: the expected loss of acting as if X were positive. */
function lossOf(mean: number, standardDeviation: number): number {
  const z = mean / standardDeviation;
  return z > 5
    ? standardDeviation * normalDensity(z) * millsRemainder(z)
    : standardDeviation * normalDensity(z) - mean * normalCdf(-z);
}

/** Returns the expected loss, in the metric's unit, of each decision. */
export function expectedLoss(
  { mean, standardDeviation }: Posterior,
  direction: 'increase' | 'decrease',
): { test: number; control: number } {
  const gain = direction === 'increase' ? mean : -mean;
  return {
    test: lossOf(gain, standardDeviation),
    control: lossOf(-gain, standardDeviation),
  };
}
