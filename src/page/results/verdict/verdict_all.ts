import { chance } from '../../charts/format.ts';
import { goodSide } from '../frame/counting.ts';
import { type ResultsState, type Situation, stateOf } from '../frame/state.ts';
import type { Result } from '../frame/types.ts';
import { type Verdict, verdictOf } from './verdict.ts';

export interface VerdictOfMetric {
  situation: Situation;
  result: Result | undefined;
}

const urgency: ResultsState[] = [
  'guardrail',
  'win',
  'winOpen',
  'bayesian',
  'loss',
  'trending',
  'unclear',
  'flat',
];

const gainOf = ({ result }: VerdictOfMetric) =>
  result ? (result.percentChange ?? 0) * goodSide(result) : Number.NEGATIVE_INFINITY;

const rankOf = ({ situation, result }: VerdictOfMetric) =>
  urgency.indexOf(stateOf(situation, result));

/** Returns the place of the group that the verdict is about: the most urgent state, then the largest gain. */
export function leadOf(judged: VerdictOfMetric[]): number {
  const [lead = 0] = judged
    .map((_, index) => index)
    .sort((one, other) => {
      const [a, b] = [judged[one], judged[other]];
      return a && b ? rankOf(a) - rankOf(b) || gainOf(b) - gainOf(a) : 0;
    });
  return lead;
}

const inShort = ({ situation, result }: VerdictOfMetric): string => {
  const { test, failedGuardrail } = situation;
  const state = stateOf(situation, result);
  if (state === 'win' || state === 'winOpen') return `${test} wins too.`;
  if (state === 'guardrail') return `${test} loses ${failedGuardrail}.`;
  if (state === 'loss') return `${test} is worse.`;
  if (state === 'flat') return `${test} makes no difference that matters.`;
  if (state === 'bayesian') return `${test} has ${chance(result?.bayesian?.chanceToBeat)}.`;
  return `${test} is still unclear.`;
};

/** Returns the verdict about one group, followed by a short sentence about each other group. */
export function verdictOfAll(judged: VerdictOfMetric[]): Verdict | undefined {
  const at = leadOf(judged);
  const lead = judged[at];
  if (!lead) return undefined;
  const verdict = verdictOf(stateOf(lead.situation, lead.result), lead.result, lead.situation);
  if (rankOf(lead) < 0) return verdict;
  const others = judged.filter((_, index) => index !== at).map(inShort);
  return { ...verdict, sentence: [verdict.sentence, ...others].join(' ') };
}
