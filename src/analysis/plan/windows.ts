import { dayLength, minuteLength } from '../../base/time.ts';
import type { MetricDefinition } from '../../data/metrics/schema.ts';
import { NotComputable, type Window } from './plan.ts';

/** Rejects mistakes, and numbers that are infinite in milliseconds. */
const maxDays = 100_000;

export function requireBounded(property: string, value: number, unit = dayLength): void {
  if (!(Math.abs(value * unit) <= maxDays * dayLength))
    throw new NotComputable(`${property} is more than 100,000 days.`);
}

interface GivenWindow {
  rollupTimeWindow?: string | undefined;
  customRollUpStart?: number | undefined;
  customRollUpEnd?: number | undefined;
  inMinutes?: boolean | undefined;
}

const ownNames = { start: 'customRollUpStart', end: 'customRollUpEnd' };

/** Returns the time after the exposure that counts; null for all. A window of 0 to 6 is seven days. */
export function windowOf(given: GivenWindow, names = ownNames): Window | null {
  const { rollupTimeWindow, customRollUpStart: start, customRollUpEnd: end, inMinutes } = given;
  if (rollupTimeWindow !== 'custom' || start === undefined || end === undefined) return null;
  const unit = inMinutes ? minuteLength : dayLength;
  requireBounded(names.start, start, unit);
  requireBounded(names.end, end, unit);
  return { since: 'exposure', from: start * unit, to: (end + 1) * unit };
}

/** Returns the window of retention: days from the day of exposure, the last one included. */
export function retentionWindow(end: number, length: number): Window {
  requireBounded('retentionEnd', end);
  requireBounded('retentionLength', length);
  return { since: 'day', from: (end - length + 1) * dayLength, to: (end + 1) * dayLength };
}

export const cohortWindow = (days: number): Window => ({
  since: 'exposure',
  from: 0,
  to: days * dayLength,
});

/** Returns the whole days of a window, from the day of the exposure. @throws NotComputable for minutes */
export function wholeDays(window: Window | null): Window | null {
  if (!window) return null;
  if ([window.from, window.to].some((time) => time % dayLength !== 0))
    throw new NotComputable('The window is in minutes, and uploaded values have only a day.');
  return { ...window, since: 'day' };
}

/** Returns the window of a metric; the window of its warehouse definition takes precedence. */
export const ownWindow = ({ warehouseNative: native, ...metric }: MetricDefinition) => {
  const given = native?.rollupTimeWindow ? native : metric;
  const { rollupTimeWindow, customRollUpStart, customRollUpEnd } = given;
  const inMinutes = native?.customRollupMeasureInMinutes;
  return { rollupTimeWindow, customRollUpStart, customRollUpEnd, inMinutes };
};
