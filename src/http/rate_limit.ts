import type { Context, MiddlewareHandler } from 'hono';
import type { Service } from '../env.ts';
import { Problem } from '../problem.ts';
import { isRead } from './methods.ts';

/** How many changes one request counts as at most: each is one call of the binding, which knows no weights. */
const mostCounted = 50;

/**
 * Counts changes of the API key against the limit of the platform's binding, one call for each; locally and in tests
 * nothing is limited.
 * @throws Problem 429 where they are more than the key has left
 */
export async function countChanges(c: Context<Service>, changes: number): Promise<void> {
  const { CHANGES, CHANGE_LIMIT } = c.env;
  if (!CHANGES || CHANGE_LIMIT === 'none') return;
  const calls = Array.from({ length: Math.min(changes, mostCounted) }, () =>
    CHANGES.limit({ key: c.get('actor').id }),
  );
  if ((await Promise.all(calls)).every(({ success }) => success)) return;
  const message = 'Too many changes with this API key; wait a minute.';
  throw new Problem('rate_limited', message, { headers: { 'Retry-After': '60' } });
}

/** Counts each request that changes something as one change; one that makes more counts the rest when it knows how many. */
export const rateLimit: MiddlewareHandler<Service> = async (c, next) => {
  if (!isRead(c)) await countChanges(c, 1);
  await next();
};

/** How many rows of an import count as one change. */
const rowsOfOne = 100;

/** Counts the rows of an import, less the one change that its request has been counted as already. */
export const countRows = (c: Context<Service>, rows: readonly unknown[]): Promise<void> =>
  countChanges(c, Math.ceil(rows.length / rowsOfOne) - 1);
