import {
  type Moments,
  mergeMoments,
  momentsOf,
  noMoments,
} from '../../../src/engine/statistics/moments.ts';
import { clamped, thresholdsOf } from '../../../src/engine/statistics/winsorization.ts';
import type { Random } from './random.ts';

/** Returns the moments of n normal values of standard deviation 1: they are independent of each other. */
export const normalMoments = (random: Random, n: number, mean = 0): Moments => ({
  ...noMoments,
  n,
  meanY: mean + random.normal() / Math.sqrt(n),
  yy: random.chiSquare(n - 1),
});

/** Returns the moments of n pairs of normal values Y and X with a correlation (Bartlett's decomposition). */
export function pairMoments(random: Random, n: number, correlation: number): Moments {
  const rest = Math.sqrt(1 - correlation * correlation);
  const [first, second] = [random.normal(), random.normal()];
  const [a, b, c] = [
    Math.sqrt(random.chiSquare(n - 1)),
    random.normal(),
    Math.sqrt(random.chiSquare(n - 2)),
  ];
  const [along, across] = [correlation * a + rest * b, rest * c];
  return {
    ...noMoments,
    n,
    meanX: first / Math.sqrt(n),
    meanY: (correlation * first + rest * second) / Math.sqrt(n),
    xx: a * a,
    yx: a * along,
    yy: along * along + across * across,
  };
}

/** Returns the moments of n units of which some have a success. */
export function rateMoments(random: Random, n: number, rate: number): Moments {
  const meanY = random.binomial(n, rate) / n;
  return { ...noMoments, n, meanY, yy: n * meanY * (1 - meanY) };
}

/** Returns the revenue of those who buy, 10% of n: lognormal with a standard deviation of the logarithm of 1. */
const purchases = (random: Random, n: number, factor: number): number[] =>
  Array.from({ length: random.binomial(n, 0.1) }, () => factor * Math.exp(random.normal()));

const withZeros = (values: readonly number[], n: number): Moments =>
  mergeMoments(momentsOf(values.map((y) => ({ y }))), { ...noMoments, n: n - values.length });

/** Returns the moments of revenue in a control and a test group of n units, whose mean is `factor` times as high. */
export function revenueMoments(random: Random, n: number, factor: number, high = 1) {
  const control = purchases(random, n, 1);
  const test = purchases(random, n, factor);
  const bounds = thresholdsOf([...control, ...test], high, 0);
  const within = (values: readonly number[]) => values.map((value) => clamped(value, bounds));
  return { control: withZeros(within(control), n), test: withZeros(within(test), n) };
}

/** Returns the moments of a ratio: units with 1 to 9 events each, whose values are alike within a unit. */
export const ratioMoments = (random: Random, n: number): Moments =>
  momentsOf(
    Array.from({ length: n }, () => {
      const d = 1 + Math.floor(9 * random.uniform());
      const level = 1 + 0.4 * random.normal();
      return { y: d * level + Math.sqrt(d) * random.normal(), d };
    }),
  );

/** Returns the values of each of n units: 1 to 3 values that are alike within a unit. */
export const eventsOf = (random: Random, n: number): number[][] =>
  Array.from({ length: n }, () => {
    const level = random.normal();
    const length = 1 + Math.floor(3 * random.uniform());
    return Array.from({ length }, () => Math.exp(level + random.normal()));
  });
