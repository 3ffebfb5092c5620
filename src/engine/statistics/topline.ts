import { finite } from './finite.ts';

export interface ToplineInput {
  absoluteChange: number;
  delta: number;
  testUnits: number;
  days: number;
  /** The total of the metric on an average day, of all users. */
  dailyTotal: number;
  /** The share of all users who are in the test group. */
  testShare: number;
}

export interface Impact {
  absolute: number | null;
  absoluteDelta: number | null;
  /** In percent of the total without the change. */
  relative: number | null;
  relativeDelta: number | null;
}

/** Returns what the test group changes of the total of a metric each day: now, and if all users were in it. */
export function toplineImpact(input: ToplineInput): { topline: Impact; projected: Impact } {
  const { absoluteChange, delta, testUnits, days, dailyTotal, testShare } = input;
  const absolute = absoluteChange * (testUnits / days);
  const absoluteDelta = delta * (testUnits / days);
  const without = dailyTotal - absolute;
  const relative = (100 * absolute) / without;
  const relativeDelta = 100 * Math.abs(absoluteDelta / without) * Math.abs(dailyTotal / without);
  const times = (factor: number): Impact => ({
    absolute: finite(absolute * factor),
    absoluteDelta: finite(absoluteDelta * factor),
    relative: finite(relative * factor),
    relativeDelta: finite(relativeDelta * factor),
  });
  return { topline: times(1), projected: times(1 / testShare) };
}
