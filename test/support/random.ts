/** Random choices, determined by a seed. */
export interface Random {
  /** A whole number from 0, below `end`. */
  below(end: number): number;
  /** True with a probability of 1 / `times`. */
  onceIn(times: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Some of the items, in their order. */
  some<T>(items: readonly T[], atMost?: number): T[];
}

/** Returns a Mulberry32 generator: small, fast, and good enough for test data. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    onceIn: (times) => below(times) === 0,
    pick<T>(items: readonly T[]) {
      const [item] = items.slice(below(items.length));
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    some: (items, atMost = items.length) => items.filter(() => next() < 0.4).slice(0, atMost),
  };
}
