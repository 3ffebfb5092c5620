import { Problem } from './problem.ts';

/** Repeats an attempt, numbered from 1, until it has a result. @throws Problem 409 if `mayTry` allows no further one */
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
