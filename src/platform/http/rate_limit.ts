import type { Context, MiddlewareHandler } from 'hono';
import { Problem } from '../../base/problem.ts';
import type { Service } from '../env.ts';
import { isRead } from './methods.ts';

/** Returns the first four of the eight groups of an IPv6 address, without leading zeros. */
function firstGroups(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros =
    tail === undefined ? [] : Array(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''));
}

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Returns the network that an address limit counts: an IPv4 address, or the /64 of an IPv6 address, which one sender owns whole. */
function networkOf(address: string): string {
  const [, v4] = mapped.exec(address) ?? [];
  if (v4) return v4;
  return address.includes(':') ? `${firstGroups(address).join(':')}::/64` : address;
}

/** Returns the network of the sender of a request. */
const addressNetwork = (c: Context): string => networkOf(c.req.header('CF-Connecting-IP') ?? '');

/** Seconds: the longer of the two periods that the platform's rate limit supports. */
const longestPeriod = '60';

/** The changes that one request counts at most: each is one call of the binding, which supports no weights. */
const maxCalls = 50;

/** A failing limit blocks no request. */
async function hasLeft(limit: RateLimit, key: string): Promise<boolean> {
  try {
    return (await limit.limit({ key })).success;
  } catch (error) {
    console.error(`A rate limit failed: ${error}`);
    return true;
  }
}

const tooMany = (message: string) =>
  new Problem('rate_limited', message, { headers: { 'Retry-After': longestPeriod } });

/** Counts changes against the limit of the API key, if bound. @throws Problem 429 */
export async function countChanges(c: Context<Service>, changes: number): Promise<void> {
  const { CHANGES, CHANGE_LIMIT } = c.env;
  if (!CHANGES || CHANGE_LIMIT === 'none') return;
  const calls = Array.from({ length: Math.min(changes, maxCalls) }, () =>
    hasLeft(CHANGES, c.get('actor').id),
  );
  if ((await Promise.all(calls)).every((isLeft) => isLeft)) return;
  throw tooMany('Too many changes with this API key; wait a minute.');
}

/** Counts each changing request as one change; a request of many changes counts the rest itself. */
export const rateLimit: MiddlewareHandler<Service> = async (c, next) => {
  if (!isRead(c)) await countChanges(c, 1);
  await next();
};

/** The rows of an import that count as one change, and the events that count as one call of `ROWS`. */
const rowsPerCall = 100;

/** Counts the rows of an import, except the one change already counted. Each of many changes counts once. */
export async function countRows(c: Context<Service>, rows: readonly unknown[]): Promise<void> {
  const { many } = c.env;
  if (many?.isTrial || many?.counted.has(many.tx.origin)) return; // a trial, or a retry
  many?.counted.add(many.tx.origin);
  await countChanges(c, Math.ceil(rows.length / rowsPerCall) - 1);
}

/** Counts a request of an app; see docs/contract/evaluation.md#10-browsers-errors-limits. @throws Problem 429 */
export async function countEvaluation(limit: RateLimit, c: Context): Promise<void> {
  if (await hasLeft(limit, addressNetwork(c))) return;
  throw tooMany('Too many requests from this address; wait a minute.');
}

const maxAddresses = 10_000;

/** The rows of each address since its last counted call: fewer than 100 unless the address exceeds its limit. */
const uncounted = new Map<string, number>();

const tooManyEvents = () => tooMany('Too many events from this address; wait a minute.');

/** Refuses an address that exceeded its limit, before its body is read. @throws Problem 429 */
export async function requireRowsLeft(limit: RateLimit, c: Context): Promise<void> {
  const address = addressNetwork(c);
  if ((uncounted.get(address) ?? 0) < rowsPerCall) return;
  if (!(await hasLeft(limit, address))) throw tooManyEvents();
  uncounted.set(address, 0);
}

/**
 * Counts rows that a client key writes, one call for each 100; the remainder is kept for the next request.
 * An address over its limit keeps 100, so that its next small request is counted too. @throws Problem 429
 */
export async function countRowsWritten(limit: RateLimit, c: Context, rows: number): Promise<void> {
  const address = addressNetwork(c);
  const sum = (uncounted.get(address) ?? 0) + rows;
  if (uncounted.size >= maxAddresses) uncounted.clear();
  uncounted.set(address, sum % rowsPerCall); // before any await: concurrent requests of the address add to it
  const calls = Array.from({ length: Math.floor(sum / rowsPerCall) }, () =>
    hasLeft(limit, address),
  );
  if ((await Promise.all(calls)).every((isLeft) => isLeft)) return;
  uncounted.set(address, rowsPerCall);
  throw tooManyEvents();
}
