import { type Context, Hono } from 'hono';
import type { Service } from '../../env.ts';
import { knownPaths } from '../../http/paths.ts';
import { notFound, onError } from '../../http/respond.ts';
import { Problem } from '../../problem.ts';
import { transaction } from '../../store/changes/transaction.ts';
import type { Transaction } from '../../store/core/transaction.ts';
import { readingTogether } from '../../store/sql/database.ts';
import { byteLength } from '../../store/sql/rows.ts';
import type { Change } from './schema.ts';

/** What one of many changes runs in, but for their author. */
type Among = Omit<NonNullable<Service['Bindings']['many']>, 'actor' | 'requestId'>;

const nested = () => {
  throw Problem.property('path', 'must be that of one change, not of many');
};

/** What each of many changes reaches: the resources, in the name of the author of them all. */
export function within(resources: Hono<Service>): Hono<Service> {
  const app = new Hono<Service>();
  return app
    .use(async (c, next) => {
      const { many } = c.env;
      if (!many) throw new Error('a change of many runs in the transaction of them all');
      c.set('actor', many.actor);
      c.set('db', many.tx.db);
      c.set('requestId', many.requestId);
      await next();
    })
    .all('/console/v1/changes', nested)
    .use(knownPaths(app))
    .route('/', resources)
    .onError((error, c) => (c.env.many?.isTrial ? unsaid() : onError(error, c)))
    .notFound(notFound);
}

/** The answer of a trial that failed, which nobody reads, and no log has. */
const unsaid = () => new Response(null, { status: 500 });

/** Runs one of the changes in the transaction of them all, as if it had come by itself. */
export async function run(c: Context<Service>, app: Hono<Service>, among: Among, given: Change) {
  const { method, path, body = {}, ifMatch } = given;
  const headers = new Headers({ ...given.headers, 'Content-Type': 'application/json' });
  if (ifMatch !== undefined) headers.append('If-Match', ifMatch);
  const url = new URL(path, c.req.url);
  const text = JSON.stringify(body);
  if (byteLength(text) > 1024 * 1024)
    throw new Problem('too_large', `${among.tx.origin}body is larger than 1 MiB.`);
  const request = new Request(url, { method, headers, body: text });
  const many = { ...among, actor: c.get('actor'), requestId: c.get('requestId') };
  return await app.fetch(request, { ...c.env, many }, c.executionCtx);
}

/**
 * Reads at once what some changes will read: each is tried by itself, side by side with the others, in a transaction that
 * nobody stores. What these have read is known when the changes are made one after another, so that all of them take as
 * many round trips as one.
 */
export async function readAhead(
  c: Context<Service>,
  app: Hono<Service>,
  { db, author, answered }: Transaction,
  changes: Change[],
): Promise<void> {
  if (changes.length === 1) return;
  const together = readingTogether(db);
  const counted = new Set<string>();
  const trials = changes.map(async (given) => {
    const tx = transaction(together, author, answered);
    await run(c, app, { tx, counted, isTrial: true }, given); // nobody holds its answer, which may be large
  });
  await Promise.allSettled(trials);
}
