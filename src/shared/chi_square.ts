import { sumOf } from './numbers.ts';

/** The relative error at which the sums below stop. */
const precision = 1e-14;
const maxTerms = 10_000;

function logGamma(x: number): number {
  let [sum, at] = [0, x];
  for (; at < 10; at++) sum -= Math.log(at);
  const stirling =
    1 / (12 * at) - 1 / (360 * at ** 3) + 1 / (1260 * at ** 5) - 1 / (1680 * at ** 7);
  return sum + (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + stirling;
}

/** The lower incomplete gamma function, as a share of the whole: a series that converges fast below a + 1. */
function lowerShare(a: number, x: number): number {
  let [term, sum] = [1 / a, 1 / a];
  for (let n = 1; n < maxTerms && term > sum * precision; n++) {
    term *= x / (a + n);
    sum += term;
  }
  return sum * Math.exp(a * Math.log(x) - x - logGamma(a));
}

/** The upper incomplete gamma function: a continued fraction that converges fast above a + 1 (Lentz). */
function upperShare(a: number, x: number): number {
  let b = x + 1 - a;
  let [c, d] = [1 / Number.MIN_VALUE, 1 / b];
  let fraction = d;
  for (let n = 1; n < maxTerms; n++) {
    const factor = n * (a - n);
    b += 2;
    d = 1 / (factor * d + b);
    c = b + factor / c;
    fraction *= c * d;
    if (Math.abs(c * d - 1) < precision) break;
  }
  return fraction * Math.exp(a * Math.log(x) - x - logGamma(a));
}

/** Returns the probability that counts deviate from shares by chance at least this much (Pearson's chi-square). */
export function chiSquareP(counts: readonly number[], shares: readonly number[]): number {
  const all = sumOf(counts);
  const whole = sumOf(shares);
  const terms = counts.map((count, index) => {
    const expected = (all * (shares[index] ?? 0)) / whole;
    return expected > 0 ? (count - expected) ** 2 / expected : 0;
  });
  const a = (counts.length - 1) / 2;
  const x = sumOf(terms) / 2;
  if (a <= 0 || x <= 0) return 1;
  return x < a + 1 ? 1 - lowerShare(a, x) : upperShare(a, x);
}
