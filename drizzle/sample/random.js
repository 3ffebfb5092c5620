// Random numbers that repeat: each generator returns the same numbers after the same seed.

/**
 * Returns a generator of numbers from 0 to below 1 (mulberry32, by Tommy Ettinger).
 * @param {number} seed
 */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @typedef {ReturnType<typeof randomFrom>} Random */

/**
 * Returns a number from the exponential distribution with mean 1.
 * @param {Random} random
 */
export const exponential = (random) => -Math.log(1 - random());

/**
 * Returns a number from the standard normal distribution (Box and Muller 1958).
 * @param {Random} random
 */
export const normal = (random) =>
  Math.sqrt(2 * exponential(random)) * Math.cos(2 * Math.PI * random());

/**
 * Returns a count from the Poisson distribution (Knuth).
 * @param {Random} random
 * @param {number} mean
 */
export function poisson(random, mean) {
  let count = 0;
  for (let product = random(); product > Math.exp(-mean); product *= random()) count++;
  return count;
}

/**
 * Returns an item of a list, by weights.
 * @template T
 * @param {Random} random
 * @param {readonly [item: T, weight: number][]} weighted
 */
export function pick(random, weighted) {
  let rest = random() * weighted.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [item, weight] of weighted) {
    rest -= weight;
    if (rest < 0) return item;
  }
  throw new Error('The weights of a choice must be above 0.');
}
