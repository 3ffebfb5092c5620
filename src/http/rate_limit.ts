import type { Context, MiddlewareHandler } from 'hono';
import type { Service } from '../env.ts';
import { Problem } from '../problem.ts';
import { isRead } from './methods.ts';

/** In seconds: the longer of the two periods that the platform's binding can have. */
const longestPeriod = '60';

/** How many changes one request counts as at most: each is one call of the binding, which knows no weights. */
const mostCounted = 50;

/** Counts one against a limit of the platform's; where that fails, nobody is kept from anything by it. */
async function hasLeft(limit: RateLimit, key: string): Promise<boolean> {
  try {
    return (await limit.limit({ key })).success;
  } catch (error) {
    console.error(`A rate limit could not be asked: ${error}`);
    return true;
  }
}

const tooMany = (message: string) =>
  new Problem('rate_limited', message, { headers: { 'Retry-After': longestPeriod } });

/**
 * Counts changes of the API key against the limit of the platform's binding, one call for each; locally and in tests
 * nothing is limited.
 * @throws Problem 429 where they are more than the key has left
 */
export async function countChanges(c: Context<Service>, changes: number): Promise<void> {
  const { CHANGES, CHANGE_LIMIT } = c.env;
  if (!CHANGES || CHANGE_LIMIT === 'none') return;
  const calls = Array.from({ length: Math.min(changes, mostCounted) }, () =>
    hasLeft(CHANGES, c.get('actor').id),
  );
  if ((await Promise.all(calls)).every((isLeft) => isLeft)) return;
  throw tooMany('Too many changes with this API key; wait a minute.');
}

/** Counts each request that changes something as one change; one that makes more counts the rest when it knows how many. */
export const rateLimit: MiddlewareHandler<Service> = async (c, next) => {
  if (!isRead(c)) await countChanges(c, 1);
  await next();
};

/** How many rows count as one call of a limit: of an import as one change, of events as one of `ROWS`. */
const rowsOfOne = 100;

/** Counts the rows of an import, less the one change that its request has been counted as already; of many changes each once. */
export async function countRows(c: Context<Service>, rows: readonly unknown[]): Promise<void> {
  const { many } = c.env;
  if (many?.isTrial || many?.counted.has(many.tx.origin)) return; // it is tried, or computed again
  many?.counted.add(many.tx.origin);
  await countChanges(c, Math.ceil(rows.length / rowsOfOne) - 1);
}

/**
 * Counts a request of an application against the limit of its address.
 * See docs/contract/evaluation.md#10-browsers-errors-limits.
 * @throws Problem 429, with the seconds to wait, where the address has none left
 */
export async function countEvaluation(limit: RateLimit, address: string): Promise<void> {
  if (await hasLeft(limit, address)) return;
  throw tooMany('Too many requests from this address; wait a minute.');
}

/** How many addresses are remembered with the rows that no call has counted yet. */
const mostAddresses = 10_000;

/** The rows of each address that no call has counted yet: few unless the address is over its limit. */
const uncounted = new Map<string, number>();

/**
 * Counts rows that a client key is about to write against the limit of its address, one call for each 100. The rest of
 * fewer is kept for the next time, as most deliveries write a handful. An address over its limit keeps all of them, so
 * that even a small delivery asks again.
 * @throws Problem 429, with the seconds to wait, if the address has none left
 */
export async function countRowsWritten(
  limit: RateLimit,
  address: string,
  rows: number,
): Promise<void> {
  const sum = (uncounted.get(address) ?? 0) + rows;
  if (uncounted.size >= mostAddresses) uncounted.clear();
  uncounted.set(address, sum % rowsOfOne); // before any wait: other deliveries of the address add to it
  const calls = Array.from({ length: Math.floor(sum / rowsOfOne) }, () => hasLeft(limit, address));
  if ((await Promise.all(calls)).every((isLeft) => isLeft)) return;
  uncounted.set(address, rowsOfOne);
  throw tooMany('Too many events from this address; wait a minute.');
}
