// How far evaluation reads the values of users and conditions.

/** Whether a text is too long to be a number, a time or a version, or to match a pattern. */
export const isLong = (text: string): boolean => text.length >= 1000;

/** Characters of a text that is searched; longer ones, which each condition would search again, contain nothing. */
export const longestSearched = 10_000;

/** Numbers below this are times in seconds, others in milliseconds: read as milliseconds, this is in April 1970. */
const leastMilliseconds = 1e10;

/** The last time that a date can be: SDKs compare none that is far beyond it. */
const lastMillisecond = 8.64e15;

/** Returns the epoch milliseconds that a number of seconds or milliseconds means; undefined if no date is that far. */
export function epochMilliseconds(number: number): number | undefined {
  const time = number < leastMilliseconds ? number * 1000 : number;
  return Math.abs(time) <= lastMillisecond ? time : undefined;
}
