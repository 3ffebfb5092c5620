import { sumOf } from '../../base/numbers.ts';
import { evenShares, nearestStep, restOf, totalHundred } from '../../engine/evaluation/shares.ts';
import {
  type Arm,
  probabilitiesOfBest,
  rateArm,
  trafficShares,
  valueArm,
} from '../../engine/statistics/bandit.ts';
import type { LearnedVariant, VariantTrials } from '../../experiments/autotune_runs/table.ts';
import type { Autotune } from '../../experiments/autotunes/schema.ts';
import {
  comparesValues,
  explorationEnd,
  minUnitsOfBandit,
  winningProbability,
} from './settings.ts';
import { noTrials } from './trials.ts';

/** Each change of the shares is a version, so that smaller ones, in percentage points, are not stored. */
const minChange = 1;

/** Returns the beliefs about the mean values; a variant whose units are all alike has the variance of all variants. */
function valueArms(trials: readonly VariantTrials[]): Arm[] | undefined {
  if (trials.some(({ units }) => units < 2)) return undefined;
  const pooled =
    sumOf(trials.map(({ squares }) => squares)) / sumOf(trials.map(({ units }) => units - 1));
  if (!(pooled > 0 && Number.isFinite(pooled))) return undefined;
  return trials.map(({ units, mean, squares }) =>
    valueArm(mean, Math.sqrt((squares > 0 ? squares / (units - 1) : pooled) / units)),
  );
}

const armsOf = (autotune: Autotune, trials: readonly VariantTrials[]): Arm[] | undefined =>
  comparesValues(autotune)
    ? valueArms(trials)
    : trials.map(({ successes, units }) => rateArm(successes, units));

function inSteps(shares: readonly number[]): number[] {
  const rounded = shares.map((share) => nearestStep(100 * share));
  const largest = rounded.indexOf(Math.max(...rounded));
  const rest = restOf(rounded);
  return rounded.map((share, place) => (place === largest ? nearestStep(share + rest) : share));
}

/** Returns the shares by which units are drawn at present, in percent. */
export function presentShares({ weights, variants }: Autotune): number[] {
  if (weights) return weights;
  const sizes = variants.map(({ size }) => size);
  return totalHundred(sizes) ? sizes : evenShares(variants.length);
}

function wantedShares(
  autotune: Autotune,
  probabilities: readonly number[] | undefined,
  isExploring: boolean,
): number[] {
  const even = evenShares(autotune.variants.length);
  if (!probabilities) return even;
  if (!isExploring)
    return inSteps(trafficShares(probabilities, autotune.longtermExplorationAllocation ?? 0));
  const explored = autotune.explorationWindowRate ?? 1;
  if (explored === 1) return even;
  const best = probabilities.indexOf(Math.max(...probabilities));
  return inSteps(
    trafficShares(
      probabilities.map((_, place) => (place === best ? 1 : 0)),
      explored,
    ),
  );
}

const isMoved = (from: readonly number[], to: readonly number[]): boolean =>
  to.some((share, place) => Math.abs(share - (from[place] ?? 0)) >= minChange - 1e-9);

interface Learned {
  variants: LearnedVariant[];
  weights: number[] | undefined;
  winner: LearnedVariant | undefined;
}

/** Returns what the trials of an active autotune teach. `time` in epoch milliseconds. */
export function learn(
  autotune: Autotune,
  trialsByName: Record<string, VariantTrials>,
  time: number,
): Learned {
  const trials = autotune.variants.map(({ name }) => trialsByName[name] ?? noTrials);
  const arms = armsOf(autotune, trials);
  const probabilities = arms && probabilitiesOfBest(arms, autotune.higherIsBetter);
  const isExploring = time < explorationEnd(autotune, autotune.startTime ?? 0);
  const present = presentShares(autotune);
  const wanted = wantedShares(autotune, probabilities, isExploring);
  const isChanged = isMoved(present, wanted);
  const shares = isChanged ? wanted : present;
  const variants = autotune.variants.map(({ name }, place) => ({
    name,
    ...(trials[place] ?? noTrials),
    probabilityOfBest: probabilities?.[place] ?? null,
    allocation: shares[place] ?? 0,
  }));
  const isDecidable = !isExploring && trials.every(({ units }) => units >= minUnitsOfBandit);
  const threshold = winningProbability(autotune);
  return {
    variants,
    weights: isChanged ? wanted : undefined,
    winner: variants.find(
      ({ probabilityOfBest }) => isDecidable && (probabilityOfBest ?? 0) >= threshold,
    ),
  };
}
