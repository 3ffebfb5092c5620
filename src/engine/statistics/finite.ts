/** Returns a number, or null if it is NaN, infinite or the bound at which overflown sums are kept. */
export const finite = (value: number): number | null =>
  Math.abs(value) < Number.MAX_VALUE ? value : null;
