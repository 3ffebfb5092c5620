import { dayLength, hourLength, minuteLength } from '../../base/time.ts';
import type { Autotune } from '../../experiments/autotunes/schema.ts';

const unitLengths = { min: minuteLength, hour: hourLength, day: dayLength };

/** Before each variant has this number of units, no winner is chosen. */
export const minUnitsOfBandit = 100;

const leadingNumber = (text: string): number => Number.parseInt(text, 10);

/** Returns how long after an exposure a success counts, in milliseconds. */
export const attributionLength = (
  autotune: Pick<Autotune, 'attributionWindow' | 'attributionWindowUnit'>,
): number =>
  leadingNumber(autotune.attributionWindow) * unitLengths[autotune.attributionWindowUnit ?? 'hour'];

/** Returns when the exploration of a run ends, in epoch milliseconds. */
export const explorationEnd = ({ explorationWindow }: Autotune, start: number): number =>
  start + leadingNumber(explorationWindow) * hourLength;

/** Returns the probability of being best from which a variant wins, from 0 to 1. */
export const winningProbability = ({ winnerThreshold }: Autotune): number =>
  leadingNumber(winnerThreshold) / 100;

/** Whether variants compare by a value of their units, not by the share of units with a success. */
export const comparesValues = ({ optimizationParameter }: Autotune): boolean =>
  optimizationParameter === 'value';

/** Returns the metadata key of the optimized value; null for the value of the event. */
export function valueKey({ metadataField, valueColumn }: Autotune): string | null {
  const key = metadataField || valueColumn;
  return key === '' || key === 'value' ? null : key;
}
