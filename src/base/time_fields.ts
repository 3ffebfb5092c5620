import * as z from 'zod';
import { dayLength } from './time.ts';

export const day = z.iso.date({ abort: true });

/** Epoch milliseconds up to the latest JavaScript date. */
export const reportedTime = z.int().min(0).max(8.64e15);

/** Whether a reported time is at most one day in the future, which allows for clocks that are wrong. */
export const isReportable = (time: number): boolean => time <= Date.now() + dayLength;

export const tooFarAhead = 'must not be more than a day in the future';
