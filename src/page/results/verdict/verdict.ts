import { chance, countOf, intervalInWords, isNumber, lift } from '../../charts/format.ts';
import { countingOf, goodSide } from '../frame/counting.ts';
import type { ResultsState, Situation } from '../frame/state.ts';
import type { Result } from '../frame/types.ts';

export interface Verdict {
  tone: 'plain' | 'good' | 'bad' | 'warn';
  sentence: string;
  detail: string;
  action: 'ship' | 'shipControl' | 'stop' | 'loadAgain' | 'addMetric' | null;
}

function numbersOf(result: Result, { confidence }: Situation): string {
  const interval = result.percentConfidenceInterval;
  const { percentChange } = result;
  if (percentChange === null) return '';
  const bounds =
    isNumber(interval?.lower) && isNumber(interval?.upper)
      ? `, ${confidence}% interval ${intervalInWords(interval.lower, interval.upper)}`
      : '';
  return `${lift(percentChange)}${bounds}.`;
}

function progressOf({ units, plannedUnits, day, plannedDays, isOver }: Situation): string {
  const users =
    plannedUnits === null
      ? `${countOf(units)} units so far`
      : `${countOf(units)} of ${countOf(plannedUnits)} units so far`;
  const left = plannedDays - day;
  return isOver || left <= 0
    ? `${users}.`
    : `${users}; ${left} more ${left === 1 ? 'day' : 'days'}.`;
}

function trending(result: Result, { test }: Situation): string {
  const way = Math.sign(result.percentChange ?? result.absoluteChange ?? 0) * goodSide(result);
  const counting = countingOf(result);
  if (counting === 'unclear' && Math.abs(result.percentChange ?? 0) < 0.05)
    return 'No direction yet.';
  if (way === 0) return 'No direction yet.';
  return `${test} is ${way > 0 ? 'ahead' : 'behind'} on ${result.metricName}, but it is too early to tell.`;
}

function bayesianVerdict(result: Result, situation: Situation): Verdict {
  const beat = result.bayesian?.chanceToBeat ?? null;
  const loss = result.bayesian?.expectedLoss ?? null;
  const percentage = (beat ?? 0) * 100;
  const isWin = percentage >= situation.threshold;
  const isLoss = beat !== null && percentage <= 100 - situation.threshold;
  return {
    tone: isWin ? 'good' : isLoss ? 'bad' : 'plain',
    sentence: `${situation.test} has a ${chance(beat)} chance to be better on ${result.metricName}.`,
    detail: [
      numbersOf(result, situation),
      isNumber(loss) ? `Expected loss if shipped: ${Number(loss.toPrecision(2))} per unit.` : '',
      progressOf(situation),
    ]
      .filter(Boolean)
      .join(' '),
    action: isWin ? 'ship' : isLoss ? 'shipControl' : null,
  };
}

const quiet = { tone: 'plain', action: null } as const;

type VerdictWords = (result: Result | undefined, situation: Situation) => Verdict;

const bothOf = (result: Result | undefined, situation: Situation) =>
  [result ? numbersOf(result, situation) : '', progressOf(situation)].filter(Boolean).join(' ');

const nameOfMetric = (result: Result | undefined) => result?.metricName ?? '';

function decided(result: Result | undefined, situation: Situation): Verdict {
  const { shipped, test, control } = situation;
  const won = result && countingOf(result) === 'better' ? 'won and ' : '';
  return {
    tone: 'good',
    sentence:
      shipped === control
        ? `${control} was kept for everyone targeted.`
        : `${shipped ?? test} ${won}was shipped to everyone targeted.`,
    detail: result ? numbersOf(result, situation) : '',
    action: null,
  };
}

function stale(result: Result | undefined, situation: Situation): Verdict {
  const days = Math.max(1, Math.floor((situation.hoursOld ?? 0) / 24));
  const numbers = result ? numbersOf(result, situation) : '';
  return {
    tone: 'warn',
    sentence: `Results are ${days === 1 ? 'a day' : `${days} days`} old.`,
    detail: `The last loaded day is ${situation.dataTo ?? 'unknown'}. ${numbers}`.trim(),
    action: 'loadAgain',
  };
}

function unclear(result: Result | undefined, situation: Situation): Verdict {
  const smallest = isNumber(result?.reversePower)
    ? ` A change under ±${result.reversePower.toFixed(1)}% could not be found.`
    : '';
  return {
    ...quiet,
    sentence: `Still unclear after ${situation.plannedDays} days.${smallest}`,
    detail: result ? numbersOf(result, situation) : '',
  };
}

const verdicts: Record<ResultsState, VerdictWords> = {
  collecting: () => ({
    ...quiet,
    sentence: 'Waiting for the first user.',
    detail: 'No unit was exposed yet. Evaluate the experiment in an application to begin.',
  }),
  preliminary: (_, { day, units }) => ({
    ...quiet,
    sentence: `Day ${day}: ${countOf(units)} units. Nothing can be said yet.`,
    detail: 'The first results come an hour after the first day ends at midnight UTC.',
  }),
  trending: (result, situation) => ({
    ...quiet,
    sentence: result ? trending(result, situation) : 'No direction yet.',
    detail: bothOf(result, situation),
  }),
  win: (result, situation) => ({
    tone: 'good',
    sentence: `${situation.test} wins on ${nameOfMetric(result)}.`,
    detail: bothOf(result, situation),
    action: 'ship',
  }),
  winOpen: (result, situation) => ({
    tone: 'good',
    sentence: `${situation.test} wins on ${nameOfMetric(result)}. What it costs is not clear yet.`,
    detail: bothOf(result, situation),
    action: null,
  }),
  loss: (result, situation) => ({
    tone: 'bad',
    sentence: `${situation.test} is worse on ${nameOfMetric(result)}.`,
    detail: bothOf(result, situation),
    action: 'shipControl',
  }),
  guardrail: (result, situation) => ({
    tone: 'bad',
    sentence: `${situation.test} loses ${situation.failedGuardrail ?? 'a guardrail'}. Stop it?`,
    detail: bothOf(result, situation),
    action: 'stop',
  }),
  flat: (result, situation) => ({
    tone: 'plain',
    sentence: 'No difference that matters.',
    detail: `${result ? numbersOf(result, situation) : ''} The whole interval is within ±${situation.zone}%, too small to matter.`,
    action: 'shipControl',
  }),
  unclear,
  unbalanced: (_, { control, test, imbalance }) => ({
    tone: 'bad',
    sentence: "The groups are not the size they should be. Don't trust these results.",
    detail:
      imbalance ??
      `The split between ${control} and ${test} differs from the plan by more than chance. Find the cause first.`,
    action: null,
  }),
  bayesian: (result, situation) =>
    result ? bayesianVerdict(result, situation) : { ...quiet, sentence: '', detail: '' },
  stale,
  noMetrics: (_, { units }) => ({
    ...quiet,
    sentence: 'Nothing says what better means.',
    detail: `${countOf(units)} units so far. Add a primary metric to compare the groups.`,
    action: 'addMetric',
  }),
  decided,
};

/** Turns a state and the result of the first primary metric into words. The only place that judges. */
export const verdictOf = (state: ResultsState, result: Result | undefined, situation: Situation) =>
  verdicts[state](result, situation);
