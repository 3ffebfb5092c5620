// Lengths and times are in milliseconds, days and hours are numbers since 1970; all in UTC.

export const minuteLength = 60 * 1000;

export const hourLength = 60 * minuteLength;

export const dayLength = 24 * hourLength;

export const hourOfTime = (time: number): number => Math.floor(time / hourLength);

export const dayOfTime = (time: number): number => Math.floor(time / dayLength);

/** Returns a day as `YYYY-MM-DD`. */
export const dateOfDay = (day: number): string =>
  new Date(day * dayLength).toISOString().slice(0, 10);

/** Returns the first millisecond of a date. */
export const startOfDay = (date: string): number => Date.parse(`${date}T00:00:00Z`);

/** Returns the first millisecond after a date. */
export const endOfDay = (date: string): number => startOfDay(date) + dayLength;

export const dayOfDate = (date: string): number => dayOfTime(startOfDay(date));

export const staleAfter = 30 * dayLength;

/** Returns the latest last change at which an entity can be stale, in epoch milliseconds. */
export const staleBefore = (now: number): number => now - staleAfter;
