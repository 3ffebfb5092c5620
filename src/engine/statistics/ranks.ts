/** Returns the place, from 1, of the value that a share of `count` sorted values does not exceed (R `quantile` type 1). */
export const rankAt = (share: number, count: number): number =>
  Math.min(count, Math.max(1, Math.ceil(share * count - 1e-9)));
