import type { ExperimentEntity } from '../entities.ts';

type Run = Pick<ExperimentEntity, 'id' | 'startTime' | 'salt'>;

/** The salt of what is drawn anew with each start; 0 stands for the time of one that has not started. That of an import stays. */
export const runSalt = ({ id, startTime, salt }: Run): string => salt ?? `${id}:${startTime ?? 0}`;

/**
 * Below which of 1,000 buckets each of some shares ends.
 * @param sizes in percent; together they are the whole, but for rounding
 */
export function thresholds(sizes: readonly number[]): number[] {
  let sum = 0;
  const ends = sizes.map((size) => {
    sum += size;
    return Math.round(10 * sum);
  });
  return [...ends.slice(0, -1), 1000].slice(0, sizes.length);
}

/** How many of 1,000 buckets each of some shares gets, in percent as they are written. */
export const bucketsOfEach = (sizes: readonly number[]): number[] =>
  thresholds(sizes).map((end, index, ends) => end - (ends[index - 1] ?? 0));
