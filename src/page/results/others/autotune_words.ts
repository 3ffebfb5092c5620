import { minUnitsOfBandit } from '../../../results/learning/settings.ts';
import type { Autotune } from '../../base/types.ts';
import { moment } from '../../base/words.ts';
import { chance } from '../../charts/format.ts';
import type { Learned } from '../frame/api_types.ts';
import type { Verdict } from '../verdict/verdict.ts';

type AutotuneVerdict = Pick<Verdict, 'tone' | 'sentence' | 'detail'>;

function pastThreshold(learned: Learned, isExploring: boolean, threshold: string): string {
  const passed = `It has passed the threshold of ${threshold}.`;
  if (isExploring)
    return `${passed} A winner is chosen after exploration ends, ${moment(learned.explorationEndTime)}.`;
  return learned.variants.some(({ units }) => units < minUnitsOfBandit)
    ? `${passed} A winner is chosen once each variant has ${minUnitsOfBandit} units.`
    : `${passed} The winner is chosen within the hour unless you stop it.`;
}

/** Returns what an autotune has learned until a time, in words. */
export function autotuneInWords(
  autotune: Pick<Autotune, 'decidedVariant' | 'decisionReason' | 'winnerThreshold'>,
  learned: Learned,
  now: number,
): AutotuneVerdict {
  const { decidedVariant, decisionReason, winnerThreshold } = autotune;
  if (decidedVariant !== null)
    return {
      tone: 'good',
      sentence: `${decidedVariant} was chosen. Everyone gets it.`,
      detail: decisionReason ?? '',
    };
  const [best] = learned.variants.toSorted(
    (one, other) => (other.probabilityOfBest ?? 0) - (one.probabilityOfBest ?? 0),
  );
  if (learned.time === null || !best)
    return {
      tone: 'plain',
      sentence: 'Waiting for the first hour.',
      detail: 'Shares are learned once an hour, after the attribution window.',
    };
  if (best.probabilityOfBest === null)
    return {
      tone: 'plain',
      sentence: 'All variants look alike so far.',
      detail: 'Values do not vary yet.',
    };
  const traffic = `gets ${Math.round(best.allocation)}% of the traffic`;
  const probability = `${chance(best.probabilityOfBest)} probability`;
  const isExploring = now < learned.explorationEndTime;
  if (best.probabilityOfBest >= Number.parseFloat(winnerThreshold) / 100)
    return {
      tone: 'good',
      sentence: `${best.name} is the best with ${probability} and ${traffic}.`,
      detail: pastThreshold(learned, isExploring, winnerThreshold),
    };
  return {
    tone: 'plain',
    sentence: `${best.name} leads with ${probability} and ${traffic}.`,
    detail: isExploring
      ? `Exploration ends ${moment(learned.explorationEndTime)}. Until then, shares are mostly equal.`
      : `A winner is chosen from ${winnerThreshold} on.`,
  };
}
