import * as z from 'zod';
import { dayLength } from './durations.ts';

export const day = z.iso.date({ abort: true });

/** The first millisecond of a day. */
export const startOfDay = (value: string) => Date.parse(`${value}T00:00:00Z`);

/** The first millisecond after a day. */
export const endOfDay = (value: string) => startOfDay(value) + dayLength;

export const staleAfter = 30 * dayLength;

/** Returns the latest last change at which an entity can be stale, in epoch milliseconds. */
export const staleBefore = (now: number) => now - staleAfter;
