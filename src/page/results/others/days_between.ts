import { dayLength } from '../../../base/time.ts';

const maxPoints = 10;

/** Returns up to ten evenly spaced days, the last one included. */
export function daysBetween(first: number, last: number): string[] {
  const days = Math.floor((last - first) / dayLength) + 1;
  const step = Math.max(1, Math.ceil(days / maxPoints));
  const count = Math.ceil(days / step);
  return Array.from({ length: count }, (_, index) =>
    new Date(last - (count - 1 - index) * step * dayLength).toISOString().slice(0, 10),
  );
}
