/** Numbers from 0 up to a bound that look random, and are the same in each run. */
export function randomly(seed: number) {
  let state = seed;
  const below = (bound: number): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * bound);
  };
  /** One of some values. */
  const pick = <Value>(values: readonly [Value, ...Value[]]): Value =>
    values[below(values.length)] ?? values[0];
  /** Some of some values, in their order. */
  const some = <Value>(values: readonly Value[]): Value[] => values.filter(() => below(2) === 0);
  return { below, pick, some };
}
