import { dayLength } from '../../base/time.ts';

/** Returns the day of a run that started at a time. Counts from 1. */
export const dayOfRun = (startTime: number) => Math.floor((Date.now() - startTime) / dayLength) + 1;

/** Returns "day 3 of 14". */
export const dayInWords = (startTime: number, duration: number) =>
  `day ${dayOfRun(startTime)} of ${duration}`;
