import { isNumber } from '../../charts/format.ts';
import { countingOf } from './counting.ts';
import type { Result } from './types.ts';

export type ResultsState =
  | 'collecting'
  | 'preliminary'
  | 'trending'
  | 'win'
  | 'winOpen'
  | 'loss'
  | 'guardrail'
  | 'flat'
  | 'unclear'
  | 'unbalanced'
  | 'bayesian'
  | 'stale'
  | 'noMetrics'
  | 'decided';

export interface Situation {
  test: string;
  control: string;
  units: number;
  plannedUnits: number | null;
  day: number;
  plannedDays: number;
  isOver: boolean;
  hasClosedDay: boolean;
  hoursOld: number | null;
  isUnbalanced: boolean;
  imbalance?: string;
  hasMetrics: boolean;
  shipped?: string;
  isBayesian: boolean;
  threshold: number;
  /** The smallest change in percent that matters; null if not planned. */
  zone: number | null;
  failedGuardrail?: string;
  hasOpenCondition: boolean;
  confidence: number;
  dataTo?: string;
}

const hasResult = (result: Result | undefined): result is Result =>
  isNumber(result?.percentChange) || isNumber(result?.absoluteChange);

function isFlat({ percentConfidenceInterval: interval }: Result, zone: number | null): boolean {
  if (zone === null || !isNumber(interval?.lower) || !isNumber(interval?.upper)) return false;
  return interval.lower >= -zone && interval.upper <= zone;
}

function stateOfResult(situation: Situation, result: Result): ResultsState {
  const { failedGuardrail, isBayesian, hasOpenCondition, zone, isOver } = situation;
  if (failedGuardrail !== undefined) return 'guardrail';
  if (isBayesian) return 'bayesian';
  const counting = countingOf(result);
  if (counting === 'better') return hasOpenCondition ? 'winOpen' : 'win';
  if (counting === 'worse') return 'loss';
  if (isFlat(result, zone)) return 'flat';
  return isOver ? 'unclear' : 'trending';
}

/** Returns the state of an experiment's results; the first that applies wins. */
export function stateOf(situation: Situation, result: Result | undefined): ResultsState {
  const { shipped, isUnbalanced, units, hasMetrics, hasClosedDay, hoursOld } = situation;
  if (shipped !== undefined) return 'decided';
  if (units === 0) return 'collecting';
  if (isUnbalanced) return 'unbalanced';
  if (!hasMetrics) return 'noMetrics';
  if (!hasClosedDay || !hasResult(result)) return 'preliminary';
  if ((hoursOld ?? 0) > 26) return 'stale';
  return stateOfResult(situation, result);
}
