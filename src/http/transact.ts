import type { Context, Hono, MiddlewareHandler } from 'hono';
import type { Resource, Service } from '../env.ts';
import { Problem } from '../problem.ts';
import { commit } from '../store/commit.ts';
import { type Transaction, transaction } from '../store/transaction.ts';
import { forgetKeys } from './authenticate.ts';
import { type Idempotency, idempotency } from './idempotency.ts';
import { onError } from './respond.ts';

/** How often a change is computed again because another came first. */
const maxAttempts = 64;

/** A random wait in milliseconds, longer with each attempt, so that writers at one entity spread out. */
const backoff = (attempt: number) =>
  scheduler.wait(Math.random() * Math.min(2 ** (attempt + 1), 200));

/** Whether `?dryRun=true` asks to check everything and store nothing. */
function wantsDryRun(c: Context): boolean {
  const value = c.req.query('dryRun') ?? 'false';
  if (value === 'true' || value === 'false') return value === 'true';
  throw Problem.property('dryRun', 'must be one of "true", "false"');
}

/** The body as text; an empty one stands for an empty object. */
async function readBody(c: Context): Promise<string | undefined> {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return undefined;
  const text = await c.req.text();
  return text === '' ? '{}' : text;
}

/** The request anew for each attempt, with a body that was read once. */
function repeat(c: Context, body: string | undefined): Request {
  const { url, method } = c.req.raw;
  const headers = new Headers(c.req.raw.headers);
  if (!headers.has('Content-Type')) headers.set('Content-Type', 'application/json');
  return new Request(url, { method, headers, body });
}

function begin(c: Context<Service>, dryRun: boolean): Transaction {
  const author = { actor: c.get('actor'), time: Date.now(), requestID: crypto.randomUUID() };
  return Object.assign(transaction(c.get('db'), author), { dryRun });
}

/** Whether there is anything to store. */
const hasEffect = ({ changes, imports }: Transaction) => changes.length > 0 || imports.length > 0;

/**
 * Runs a request once, in a transaction of its own, and stores what it staged.
 * @returns its answer; undefined where another change came first
 */
async function attempt(
  run: (tx: Transaction) => Response | Promise<Response>,
  tx: Transaction,
  replies: Idempotency | undefined,
): Promise<Response | undefined> {
  const response = await run(tx);
  if (!response.ok || !(hasEffect(tx) || replies)) return response;
  const kept = replies ? await replies.keep(tx.author, response) : [];
  if (!(await commit(tx, kept))) return undefined;
  if (tx.changes.some(({ collection }) => collection.kind === 'key')) forgetKeys();
  return response;
}

/**
 * Runs each request to the resources inside one transaction: the handler stages its changes, and they are stored
 * as one batch when it has answered. Where another change came first, the handler runs again on the new state.
 */
export function transact(resources: Hono<Resource>): MiddlewareHandler<Service> {
  return async (c) => {
    const body = await readBody(c);
    const dryRun = wantsDryRun(c);
    const replies = dryRun ? undefined : await idempotency(c, body);
    const run = (tx: Transaction) =>
      resources.fetch(repeat(c, body), { ...c.env, tx }, c.executionCtx);

    for (let count = 1; count <= maxAttempts; count++) {
      const response = await attempt(run, begin(c, dryRun), replies).catch((error: Error) =>
        onError(error, c),
      );
      // No answer of the past for a key that may not ask for it any more.
      const isFinal = response?.ok || response?.status === 403;
      const replay = isFinal ? undefined : await replies?.find();
      if (replay ?? response) return replay ?? response;
      await backoff(count);
    }
    throw new Problem('contention', 'Other changes kept coming first; send the request again.');
  };
}
