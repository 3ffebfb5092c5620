import * as z from 'zod';
import { dayLength } from './durations.ts';

/** A day that exists, `YYYY-MM-DD`, in UTC. */
export const day = z.iso.date();

/** The first millisecond of a day. */
export const startOfDay = (value: string) => Date.parse(`${value}T00:00:00Z`);

/** The first millisecond after a day. */
export const endOfDay = (value: string) => startOfDay(value) + dayLength;

/** For how long an entity was left alone before it can be stale, in milliseconds. */
export const staleAfter = 30 * dayLength;

/** The latest time of last change at which an entity can be stale. Epoch milliseconds. */
export const staleBefore = (now: number) => now - staleAfter;
