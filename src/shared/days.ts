import * as z from 'zod';

/** A day that exists, `YYYY-MM-DD`, in UTC. */
export const day = z.iso.date();

/** The first millisecond of a day. */
export const startOfDay = (value: string) => Date.parse(`${value}T00:00:00Z`);

/** The first millisecond after a day. */
export const endOfDay = (value: string) => startOfDay(value) + 24 * 60 * 60 * 1000;
