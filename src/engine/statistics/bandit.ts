import { sumOf } from '../../base/numbers.ts';
import { betaCdf, betaQuantile, logGamma, normalCdf, normalDensity } from './distributions.ts';
import type { Interval } from './intervals.ts';

const order = 16;

function legendre(x: number): { value: number; slope: number } {
  let [before, value] = [1, x];
  for (let degree = 2; degree <= order; degree++)
    [before, value] = [value, ((2 * degree - 1) * x * value - (degree - 1) * before) / degree];
  return { value, slope: (order * (x * value - before)) / (x * x - 1) };
}

/** The points and weights of Gauss-Legendre quadrature on -1 to 1, by Newton's method. */
const points = Array.from({ length: order }, (_, index) => {
  let x = Math.cos((Math.PI * (index + 0.75)) / (order + 0.5));
  for (let step = 0; step < 10; step++) {
    const { value, slope } = legendre(x);
    x -= value / slope;
  }
  const { slope } = legendre(x);
  return { x, weight: 2 / ((1 - x * x) * slope * slope) };
});

/** Returns the points between ascending bounds at which a function is evaluated, with the weights of their values. */
const quadrature = (bounds: readonly number[]): { x: number; weight: number }[] =>
  bounds.slice(1).flatMap((upper, index) => {
    const lower = bounds[index] ?? upper;
    const half = (upper - lower) / 2;
    return points.map(({ x, weight }) => ({ x: lower + half * (1 + x), weight: weight * half }));
  });

export interface Arm {
  /** Where the density is not 0. */
  range: Interval;
  mean: number;
  standardDeviation: number;
  density: (x: number) => number;
  cdf: (x: number) => number;
}

/** Returns the belief about a rate, of a flat prior: Beta(1 + successes, 1 + failures). */
export function rateArm(successes: number, units: number): Arm & { interval: Interval } {
  const [a, b] = [1 + successes, 1 + Math.max(0, units - successes)];
  const logScale = logGamma(a + b) - logGamma(a) - logGamma(b);
  const logPart = (power: number, base: number) => (power === 0 ? 0 : power * Math.log(base));
  return {
    range: { lower: 0, upper: 1 },
    mean: a / (a + b),
    standardDeviation: Math.sqrt((a / (a + b)) * (b / (a + b) / (a + b + 1))),
    density: (x) =>
      x < 0 || x > 1 ? 0 : Math.exp(logScale + logPart(a - 1, x) + logPart(b - 1, 1 - x)),
    cdf: (x) => betaCdf(Math.min(1, Math.max(0, x)), a, b),
    interval: { lower: betaQuantile(0.025, a, b), upper: betaQuantile(0.975, a, b) },
  };
}

/** Returns the belief about a mean: normal. */
export const valueArm = (mean: number, standardError: number): Arm => ({
  range: { lower: -Infinity, upper: Infinity },
  mean,
  standardDeviation: standardError,
  density: (x) => normalDensity((x - mean) / standardError) / standardError,
  cdf: (x) => normalCdf((x - mean) / standardError),
});

/** The density of an arm vanishes beyond this number of standard deviations. */
const reach = 12;

/** The pieces are so narrow that each arm is smooth within one. */
function integrationBounds(arms: readonly Arm[]): number[] {
  const steps = Array.from({ length: 2 * reach + 1 }, (_, index) => index - reach);
  const bounds = arms.flatMap(({ mean, standardDeviation, range: { lower, upper } }) =>
    steps.map((step) => Math.max(lower, Math.min(upper, mean + step * standardDeviation))),
  );
  return [...new Set(bounds)].sort((a, b) => a - b);
}

/** Returns the probability of each arm to be the best, to 1e-9 (Thompson 1933; Agrawal and Goyal 2012). */
export function probabilitiesOfBest(arms: readonly Arm[], higherIsBetter: boolean): number[] {
  const sums = arms.map(() => 0);
  for (const { x, weight } of quadrature(integrationBounds(arms))) {
    const beaten = arms.map(({ cdf }) => (higherIsBetter ? cdf(x) : 1 - cdf(x)));
    for (const [place, { density }] of arms.entries()) {
      const others = beaten.reduce(
        (product, share, at) => (at === place ? product : product * share),
        1,
      );
      sums[place] = (sums[place] ?? 0) + weight * density(x) * others;
    }
  }
  const all = sumOf(sums);
  return sums.map((sum) => (all > 0 ? sum / all : 1 / arms.length));
}

/** Returns the shares of traffic: the floor of exploration for each variant, and the rest by chances to be best. */
export function trafficShares(
  probabilities: readonly number[],
  longtermExploration: number,
): number[] {
  const floor = longtermExploration / probabilities.length;
  return probabilities.map((probability) => floor + (1 - longtermExploration) * probability);
}
