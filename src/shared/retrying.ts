import { Problem } from '../problem.ts';

/**
 * Repeats an attempt until it has a result, and returns that.
 * @param mayTry whether to make an attempt; the first has number 1
 * @throws Problem 409 if no further attempt may be made
 */
export async function retrying<Result>(
  mayTry: (number: number) => boolean,
  attempt: (number: number) => Promise<Result | undefined>,
): Promise<Result> {
  for (let number = 1; mayTry(number); number++) {
    const result = await attempt(number);
    if (result !== undefined) return result;
  }
  throw Problem.contention();
}
