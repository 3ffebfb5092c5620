import type { ExperimentEntity } from '../entities.ts';

type SaltedStart = Pick<ExperimentEntity, 'id' | 'startTime' | 'salt'>;

/** Returns a salt that differs for each start; an imported salt is kept. */
export const runSalt = ({ id, startTime, salt }: SaltedStart): string =>
  salt ?? `${id}:${startTime ?? 0}`;

/** Returns the bucket of 1,000 below which each size ends. `sizes` are percentages that add up to 100. */
export function thresholds(sizes: readonly number[]): number[] {
  let sum = 0;
  const ends = sizes.map((size) => {
    sum += size;
    return Math.round(10 * sum);
  });
  return [...ends.slice(0, -1), 1000].slice(0, sizes.length);
}

/** Returns how many of 1,000 buckets each size gets. */
export const bucketsOfEach = (sizes: readonly number[]): number[] =>
  thresholds(sizes).map((end, index, ends) => end - (ends[index - 1] ?? 0));
