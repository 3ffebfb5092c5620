import { nice, ticks } from 'd3-array';
import { utcDay, utcMonday, utcTicks } from 'd3-time';
import { dayLength } from '../../base/time.ts';

/** Returns the linear function that maps a domain to a range. */
export function linear([from, to]: [number, number], [start, end]: [number, number]) {
  // Halves each operand, because the difference of two finite numbers can overflow.
  const size = to / 2 - from / 2 || 0.5;
  return (value: number) => start + ((value / 2 - from / 2) / size) * (end - start);
}

const axisEnds = [2, 5, 10, 15, 20, 30, 50, 100];

/** Returns the end of a symmetric axis in percent: the largest bound, rounded up to one of a few values. */
export function axisEnd(bounds: number[]): number {
  const largest = Math.max(0, ...bounds.filter(Number.isFinite).map(Math.abs));
  return axisEnds.find((end) => end >= largest) ?? 100;
}

/** Returns 3 to 6 ticks of an amount axis that starts at 0 and ends at or above the largest amount. */
export const amountTicks = (largest: number) => ticks(...nice(0, largest || 1, 4), 4);

/** Returns the ticks of a count, which are whole numbers. */
export const countTicks = (largest: number) =>
  amountTicks(Math.ceil(largest)).filter(Number.isInteger);

/** Returns the ticks of a day axis: each day, or Mondays from 21 days on, thinned to fit, with the first and last day. */
export function dayTicks(first: number, last: number, width: number): number[] {
  const days = Math.round((last - first) / dayLength) + 1;
  const every = days > 21 ? utcMonday : utcDay;
  const all = every.range(new Date(first), new Date(last + 1)).map(Number);
  const step = Math.max(1, Math.ceil((all.length * 56) / Math.max(width, 56)));
  const near = (time: number) =>
    Math.min(time - first, last - time) < ((last - first) * 64) / Math.max(width, 1);
  const inner = all.filter((time, index) => index % step === 0 && !near(time));
  return first === last ? [first] : [first, ...inner, last];
}

/** Returns about one tick for each 80 px of an axis of hours. */
export const hourTicks = (first: number, last: number, width: number) =>
  utcTicks(new Date(first), new Date(last), Math.max(2, width / 80)).map(Number);

/** Returns the heights of labels in pixels, moved down until neighbors are `gap` apart, and up to end at `bottom`. */
export function spread(heights: number[], bottom: number, gap = 13): number[] {
  const order = heights
    .map((_, index) => index)
    .sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  const spaced = [...heights];
  let least = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    least = Math.max(spaced[index] ?? 0, least + gap);
    spaced[index] = least;
  }
  let most = bottom;
  for (const index of order.toReversed()) {
    most = Math.min(spaced[index] ?? 0, most);
    spaced[index] = most;
    most -= gap;
  }
  return spaced;
}
