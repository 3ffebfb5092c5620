import { rankAt } from './ranks.ts';

export interface Thresholds {
  lower: number | null;
  upper: number | null;
}

/** Returns the bounds by the non-zero values of all groups together; a share of 1 or 0 sets no bound. */
export function thresholdsOf(values: readonly number[], high: number, low: number): Thresholds {
  const sorted = values.filter((value) => value !== 0).sort((a, b) => a - b);
  const at = (share: number) => sorted[rankAt(share, sorted.length) - 1] ?? null;
  return { lower: low > 0 ? at(low) : null, upper: high < 1 ? at(high) : null };
}

/** Returns a value within bounds; 0 stays 0. */
export function clamped(value: number, { lower, upper }: Thresholds): number {
  if (value === 0) return 0;
  if (upper !== null && value > upper) return upper;
  return lower !== null && value < lower ? lower : value;
}
