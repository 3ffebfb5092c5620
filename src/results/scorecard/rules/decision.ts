import type { Comparison } from '../../../engine/statistics/compare.ts';
import {
  mixingVariance,
  plannedEndShare,
  sequentialPValue,
} from '../../../engine/statistics/sequential.ts';
import type { ResultOptions } from '../../base/options.ts';

export interface Timing {
  ds: number;
  plannedDay: number | null;
  mixing: number;
}

/** Returns the timing of the results of one day. */
export const timingOf = (
  { designAlpha, tuningUnits }: { designAlpha: number; tuningUnits: number },
  ds: number,
  plannedDay: number | null,
): Timing => ({ ds, plannedDay, mixing: mixingVariance(designAlpha, tuningUnits) });

export type Basis = 'fixed' | 'sequential' | 'bayesian' | 'sprt';

/** Returns by which test a result counts. A sequential test decides by a fixed horizon on its planned end. */
export function basisOf(
  { method, isSequential }: ResultOptions,
  { ds, plannedDay }: Timing,
): Basis {
  if (method !== 'frequentist') return method;
  return isSequential && ds !== plannedDay ? 'sequential' : 'fixed';
}

/** Returns the factor of α: on the planned end of a sequential test, a part is spent on earlier looks. */
export const alphaShare = (options: ResultOptions, { ds, plannedDay }: Timing): number =>
  options.method === 'frequentist' && options.isSequential && ds === plannedDay
    ? plannedEndShare
    : 1;

/** Returns the always-valid p-value of a comparison; null without inference. */
export const alwaysValid = ({ t }: Comparison, units: number, { mixing }: Timing): number | null =>
  t === null ? null : sequentialPValue(t, units, mixing);

/** Returns the p-value that is corrected and decides. */
export const decidingPValue = (
  comparison: Comparison,
  units: number,
  basis: Basis,
  timing: Timing,
): number | null =>
  basis === 'sequential' ? alwaysValid(comparison, units, timing) : comparison.pValue;

/** Whether results are read before the planned end by a test that allows no earlier look. */
export const isPeeking = (
  { method, isSequential }: ResultOptions,
  { ds, plannedDay }: Timing,
): boolean =>
  method !== 'sprt' &&
  !(method === 'frequentist' && isSequential) &&
  (plannedDay === null || ds < plannedDay);
