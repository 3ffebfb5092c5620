import { isNumber } from '../../charts/format.ts';
import type { Bounds } from '../../charts/types.ts';
import type { Counting } from '../../charts/verdict_sign.ts';
import type { Interval, Result } from './types.ts';

const sideOf = (interval: Interval | null): -1 | 0 | 1 => {
  if (interval?.lower === null || interval?.upper === null || !interval) return 0;
  if (interval.lower > 0) return 1;
  return interval.upper < 0 ? -1 : 0;
};

/** The good direction of a metric: 1 if an increase is good. */
export const goodSide = ({ directionality }: Pick<Result, 'directionality'>) =>
  directionality === 'decrease' ? -1 : 1;

/** Returns the p-value next to the fixed interval: after corrections, but not the one of a sequential test. */
export const shownP = ({ significanceBasis, pValue, adjustedPValue }: Result) =>
  significanceBasis === 'sequential' ? pValue : (adjustedPValue ?? pValue);

const sideOfChange = ({ percentChange, absoluteChange }: Result) =>
  Math.sign(percentChange ?? absoluteChange ?? 0);

/** Returns how a result counts: significant, leaning (only the fixed interval excludes 0), or unclear. */
export function countingOf(result: Result): Counting {
  const good = goodSide(result);
  if (result.significant) return sideOfChange(result) * good > 0 ? 'better' : 'worse';
  const side = sideOf(result.percentConfidenceInterval ?? result.confidenceInterval);
  if (side === 0) return 'unclear';
  return side * good > 0 ? 'leaning' : 'leaningworse';
}

/** Returns the finite bounds of the interval of a result: two, one or none. */
export const endsOfInterval = ({ percentConfidenceInterval: interval }: Result): number[] =>
  [interval?.lower, interval?.upper].filter(isNumber);

/** Returns an interval with both bounds; null if it has none. */
export const boundsOfInterval = (interval: Interval | null): Bounds | null =>
  interval && isNumber(interval.lower) && isNumber(interval.upper)
    ? { lower: interval.lower, upper: interval.upper }
    : null;
