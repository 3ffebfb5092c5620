import { expect } from 'vitest';
import { type Moments, noMoments } from '../../src/engine/statistics/moments.ts';

/** Values of golden tables with up to 17 significant digits; null means no result. */
type Golden = number | string | boolean | null | undefined | readonly Golden[] | object;

/** Returns the relative error of a number; the absolute one if 0 is expected. */
const errorOf = (actual: number, expected: number): number =>
  Math.abs(actual - expected) / (Math.abs(expected) || 1);

/**
 * Expects numbers within a relative tolerance, an absolute one of 1e-12 if 0 is expected, and everything else to be
 * equal. Properties that are not in the golden table are ignored.
 */
export function expectGolden(actual: unknown, expected: Golden, tolerance = 1e-9, path = ''): void {
  if (typeof expected === 'number') {
    expect(actual, path).toBeTypeOf('number');
    expect(errorOf(Number(actual), expected), path).toBeLessThanOrEqual(
      expected === 0 ? 1e-12 : tolerance,
    );
  } else if (typeof expected === 'object' && expected !== null) {
    const parts = new Map(Object.entries(actual ?? {}));
    for (const [key, value] of Object.entries(expected))
      expectGolden(parts.get(key), value, tolerance, `${path}.${key}`);
  } else expect(actual, path).toBe(expected);
}

interface Sample {
  n: number;
  mean: number | null;
  variance: number | null;
}

/** Returns the moments of a group of a golden table. */
export const momentsFrom = ({ n, mean, variance }: Sample): Moments => ({
  ...noMoments,
  n,
  meanY: mean ?? 0,
  yy: (variance ?? 0) * Math.max(0, n - 1),
});
