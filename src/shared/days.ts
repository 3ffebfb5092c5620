import * as z from 'zod';

/** A day that exists, `YYYY-MM-DD`, in UTC. */
export const day = z.iso.date();

/** A day, in milliseconds. */
export const dayLength = 24 * 60 * 60 * 1000;

/** The first millisecond of a day. */
export const startOfDay = (value: string) => Date.parse(`${value}T00:00:00Z`);

/** The first millisecond after a day. */
export const endOfDay = (value: string) => startOfDay(value) + dayLength;

/** The latest time of last change at which an entity can be stale: 30 days before `now`. Epoch milliseconds. */
export const staleBefore = (now: number) => now - 30 * dayLength;
