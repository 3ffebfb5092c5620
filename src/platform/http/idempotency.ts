import { and, eq, exists, gt, lte, type SQL, sql } from 'drizzle-orm';
import type { Context, MiddlewareHandler } from 'hono';
import { Problem } from '../../base/problem.ts';
import { decrypt, encrypt, keyFrom } from '../../base/sealing.ts';
import { sha256Hex } from '../../base/sha256.ts';
import { dayLength } from '../../base/time.ts';
import type { Idempotency, Service } from '../env.ts';
import type { Database } from '../store/sql/database.ts';
import { deleteInPieces, maxDeleted } from '../store/sql/deletions.ts';
import { constant } from '../store/sql/expressions.ts';
import { compileQuery, query, statement } from '../store/sql/statement.ts';
import { replies } from '../store/sql/tables.ts';

const lifetime = dayLength;

/** Characters of a stored response; D1 accepts up to 2 MB in a row. */
const largest = 1_900_000;

const kept = ['content-type', 'etag', 'location'];

const mine = and(
  eq(replies.keyID, sql.placeholder('keyID')),
  eq(replies.idempotencyKey, sql.placeholder('idempotencyKey')),
);

const forget = compileQuery(
  query.delete(replies).where(and(mine, lte(replies.time, sql.placeholder('until')))),
);

const remember = compileQuery(
  query.insert(replies).values({
    keyID: sql.placeholder('keyID'),
    idempotencyKey: sql.placeholder('idempotencyKey'),
    fingerprint: sql.placeholder('fingerprint'),
    requestID: sql.placeholder('requestID'),
    time: sql.placeholder('time'),
    status: sql.placeholder('status'),
    headers: sql.placeholder('headers'),
    body: sql.placeholder('body'),
  }),
);

const recall = compileQuery(
  query
    .select()
    .from(replies)
    .where(and(mine, gt(replies.time, sql.placeholder('since')))),
);

const purge = statement(sql`
  delete from replies
  where (keyID, idempotencyKey) in (
    select keyID, idempotencyKey from replies where time <= ${sql.placeholder('until')}
    limit ${constant(maxDeleted)})`);

async function namedRequest(c: Context<Service>, key: string) {
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw Problem.property('Idempotency-Key', 'must be 1 to 255 printable characters');
  const { pathname, search } = new URL(c.req.url);
  // The response may contain a new API key, so only the caller's own key or session can decrypt it.
  const secret = c.get('secret');
  const body = await c.req.text();
  return {
    of: { keyID: sha256Hex(`Idempotency-Key ${secret}`), idempotencyKey: key },
    // Includes the scopes, so that a changed key gets no replay, and the secret: others could test a guessed body.
    fingerprint: sha256Hex(
      JSON.stringify([secret, pathname, search, body, c.get('actor').scopes.toSorted()]),
    ),
    seal: await keyFrom('Idempotency-Key', secret),
  };
}

async function openReplies(c: Context<Service>, key: string): Promise<Idempotency> {
  const { of, fingerprint, seal } = await namedRequest(c, key);
  return {
    async keep({ time, requestID }, response) {
      const headers = Object.fromEntries(
        [...response.headers].filter(([name]) => kept.includes(name)),
      );
      const body = await encrypt(seal, key, await response.clone().text());
      if (body.length > largest)
        throw new Problem(
          'too_large',
          'The answer is too large to be kept for an Idempotency-Key.',
        );
      const { status } = response;
      return [
        forget({ ...of, until: time - lifetime }),
        remember({ ...of, fingerprint, requestID, time, status, headers, body }),
      ];
    },
    async find() {
      const [[reply]] = await c.get('db').batch(recall({ ...of, since: Date.now() - lifetime }));
      if (!reply) return undefined;
      if (reply.fingerprint !== fingerprint)
        throw new Problem('key_reused', 'Use a new Idempotency-Key for each new request.');
      const headers = { ...reply.headers, 'Idempotency-Replayed': 'true' };
      return new Response(await decrypt(seal, key, reply.body), { status: reply.status, headers });
    },
  };
}

/** Replays the stored response of an `Idempotency-Key`, which it reads only if the request fails by itself. */
export const idempotency: MiddlewareHandler<Service> = async (c, next) => {
  const key = c.req.header('Idempotency-Key');
  if (c.req.method !== 'POST' || key === undefined) return next();
  const replies = await openReplies(c, key);
  c.set('idempotency', replies);
  await next();
  // A key that lost a scope gets no earlier response.
  if (c.res.ok || c.res.status === 403 || c.req.query('dryRun') === 'true') return;
  const first = await replies.find().catch((error) => {
    // If the database is unavailable, its error says more: whether something may be stored.
    if (c.res.status !== 503) throw error;
  });
  if (!first) return;
  const shared = [...c.res.headers].filter(([name]) => /^(access-control-|vary$)/.test(name));
  c.res = undefined; // else its headers would be merged into those of the first answer
  c.res = first;
  for (const [name, value] of shared) c.res.headers.set(name, value);
};

/** Whether any response is older than 24 hours. `now` in epoch milliseconds. */
export const hasOldReplies = (now: number): SQL =>
  exists(
    query
      .select({ time: replies.time })
      .from(replies)
      .where(lte(replies.time, now - lifetime)),
  );

/** Deletes responses older than 24 hours. `now` in epoch milliseconds. */
export async function purgeReplies(db: Database, now: number): Promise<void> {
  await deleteInPieces(db, purge({ until: now - lifetime }));
}
