import { type Context, Hono } from 'hono';
import { Problem } from '../../base/problem.ts';
import type { Service } from '../../platform/env.ts';
import { knownPaths } from '../../platform/http/paths.ts';
import { notFound, onError } from '../../platform/http/respond.ts';
import { transaction } from '../../platform/store/changes/transaction.ts';
import type { Transaction } from '../../platform/store/core/transaction.ts';
import { readingTogether } from '../../platform/store/sql/database.ts';
import { byteLength } from '../../platform/store/sql/rows.ts';
import type { ChangeRequest } from './schema.ts';

type NestedRequest = Omit<NonNullable<Service['Bindings']['many']>, 'actor' | 'requestId'>;

const refuseNesting = () => {
  throw Problem.property('path', 'must be the path of a single change');
};

/** Returns an app for the nested requests of POST /changes, which share its transaction and author. */
export function nestedApp(resources: Hono<Service>): Hono<Service> {
  const app = new Hono<Service>();
  return app
    .use(async (c, next) => {
      const { many } = c.env;
      if (!many) throw new Error('a nested request needs the transaction of POST /changes');
      c.set('actor', many.actor);
      c.set('db', many.tx.db);
      c.set('requestId', many.requestId);
      await next();
    })
    .all('/console/v1/changes', refuseNesting)
    .use(knownPaths(app))
    .route('/', resources)
    .onError((error, c) => (c.env.many?.isTrial ? discardedResponse() : onError(error, c)))
    .notFound(notFound);
}

const discardedResponse = () => new Response(null, { status: 500 });

/** Runs one change in the transaction of all changes. */
export async function run(
  c: Context<Service>,
  app: Hono<Service>,
  context: NestedRequest,
  given: ChangeRequest,
) {
  const { method, path, body = {}, ifMatch } = given;
  const headers = new Headers({ ...given.headers, 'Content-Type': 'application/json' });
  if (ifMatch !== undefined) headers.append('If-Match', ifMatch);
  const url = new URL(path, c.req.url);
  const text = JSON.stringify(body);
  if (byteLength(text) > 1024 * 1024)
    throw new Problem('too_large', `${context.tx.origin}body is larger than 1 MiB.`);
  const request = new Request(url, { method, headers, body: text });
  const many = { ...context, actor: c.get('actor'), requestId: c.get('requestId') };
  return await app.fetch(request, { ...c.env, many }, c.executionCtx);
}

/** Tries changes at once without storing them, so that their reads are in memory when the changes run in turn. */
export async function readAhead(
  c: Context<Service>,
  app: Hono<Service>,
  { db, author, readCache }: Transaction,
  changes: ChangeRequest[],
): Promise<void> {
  if (changes.length === 1) return;
  const together = readingTogether(db);
  const counted = new Set<string>();
  const trials = changes.map(async (given) => {
    const tx = transaction(together, author, readCache);
    await run(c, app, { tx, counted, isTrial: true }, given); // not returned, because a response can be large
  });
  await Promise.allSettled(trials);
}
