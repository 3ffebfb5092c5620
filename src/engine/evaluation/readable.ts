/** Whether a text is too long for a number, time or version, or to match a pattern. */
export const isLong = (text: string): boolean => text.length >= 1000;

/** Characters of a text to search in. Each condition searches again, so longer texts contain nothing. */
export const longestSearched = 10_000;

/** Smaller numbers are seconds, others milliseconds; in milliseconds this is in April 1970. */
const leastMilliseconds = 1e10;

/** The last time of a JavaScript date; SDKs compare none beyond it. */
const lastMillisecond = 8.64e15;

/** Converts a number of seconds or milliseconds; undefined beyond the range of dates. */
export function epochMilliseconds(number: number): number | undefined {
  const time = number < leastMilliseconds ? number * 1000 : number;
  return Math.abs(time) <= lastMillisecond ? time : undefined;
}
