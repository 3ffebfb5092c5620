import betainc from '@stdlib/math-base-special-betainc';
import betaincinv from '@stdlib/math-base-special-betaincinv';
import erfc from '@stdlib/math-base-special-erfc';
import erfcinv from '@stdlib/math-base-special-erfcinv';
import gammainc from '@stdlib/math-base-special-gammainc';
import gammaln from '@stdlib/math-base-special-gammaln';
import tQuantile from '@stdlib/stats-base-dists-t-quantile';

/** Returns the probability that a standard normal variable is at most x, exact in both tails. */
export const normalCdf = (x: number): number => erfc(-x * Math.SQRT1_2) / 2;

/** Returns the density of the standard normal distribution. */
export const normalDensity = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

/** Returns the value that a standard normal variable does not exceed with probability p, of 0 < p < 1. */
export const normalQuantile = (p: number): number => -Math.SQRT2 * erfcinv(2 * p);

/** Returns the probability that Student's t exceeds t ≥ 0: the incomplete beta function, by the branch without loss. */
export function studentUpperTail(t: number, degreesOfFreedom: number): number {
  const square = t * t;
  const whole = degreesOfFreedom + square;
  return square < degreesOfFreedom
    ? betainc(square / whole, 0.5, degreesOfFreedom / 2, true, true) / 2
    : betainc(degreesOfFreedom / whole, degreesOfFreedom / 2, 0.5) / 2;
}

/** Returns the value that Student's t does not exceed with probability p, of 0 < p < 1. */
export const studentQuantile = (p: number, degreesOfFreedom: number): number =>
  tQuantile(p, degreesOfFreedom);

/** Returns the probability that a chi-square variable exceeds x. */
export const chiSquareUpperTail = (x: number, degreesOfFreedom: number): number =>
  gammainc(x / 2, degreesOfFreedom / 2, true, true);

/** Returns the probability that a gamma variable of this shape, and scale 1, is at most x. */
export const gammaCdf = (x: number, shape: number): number => gammainc(x, shape);

/** Returns the probability that a beta variable is at most x, of 0 ≤ x ≤ 1. */
export const betaCdf = (x: number, a: number, b: number): number => betainc(x, a, b);

/** Returns the value that a beta variable does not exceed with probability p, of 0 < p < 1. */
export const betaQuantile = (p: number, a: number, b: number): number => betaincinv(p, a, b);

/** Returns ln Γ(x), of x > 0. */
export const logGamma = (x: number): number => gammaln(x);
