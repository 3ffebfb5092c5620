import { and, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { Context } from 'hono';
import type { Service } from '../env.ts';
import { Problem } from '../problem.ts';
import type { Database } from '../store/database.ts';
import { decrypt, encrypt, keyFrom } from '../store/secrets.ts';
import { replies } from '../store/tables.ts';
import type { Author } from '../store/transaction.ts';
import { hashKey } from './authenticate.ts';

/** How long a first answer is kept, in milliseconds. */
const lifetime = 24 * 60 * 60 * 1000;

/** The answers of requests with one Idempotency-Key (completions, section 5). */
export interface Idempotency {
  /** Statements that keep an answer, for the batch of its effect. */
  keep(author: Author, response: Response): Promise<SQL[]>;
  /** The first answer, if there was one; 422 where it answered another request. */
  find(): Promise<Response | undefined>;
}

interface Reply {
  fingerprint: string;
  status: number;
  headers: string;
  body: string;
}

/** Headers that are part of an answer, and so of its replay. */
const kept = ['content-type', 'etag', 'location'];

/** Reads the Idempotency-Key of a POST; undefined where there is none. */
export async function idempotency(
  c: Context<Service>,
  body: string | undefined,
): Promise<Idempotency | undefined> {
  const key = c.req.header('Idempotency-Key');
  if (c.req.method !== 'POST' || key === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw Problem.property('Idempotency-Key', 'must be 1 to 255 printable characters');
  const { pathname, search } = new URL(c.req.url);
  // The answer may hold a new API key, so only the caller's own key opens it again.
  const secret = c.req.header('SERVICE-API-KEY') ?? '';
  const keyID = await hashKey(`Idempotency-Key ${secret}`);
  const mine = and(eq(replies.keyID, keyID), eq(replies.idempotencyKey, key));
  const fingerprint = await hashKey(JSON.stringify([pathname, search, body]));
  const seal = await keyFrom('Idempotency-Key', secret);
  return {
    async keep({ time, requestID }, response) {
      const headers = [...response.headers].filter(([name]) => kept.includes(name));
      const sealed = await encrypt(seal, key, await response.clone().text());
      return [
        sql`delete from ${replies} where ${mine} and ${replies.time} <= ${time - lifetime}`,
        sql`insert into ${replies}
            (keyID, idempotencyKey, fingerprint, requestID, time, status, headers, body) values
            (${keyID}, ${key}, ${fingerprint}, ${requestID}, ${time}, ${response.status},
             ${JSON.stringify(Object.fromEntries(headers))}, ${sealed})`,
      ];
    },
    async find() {
      const since = gt(replies.time, Date.now() - lifetime);
      const reply = await findReply(c.get('db'), and(mine, since), fingerprint);
      if (!reply) return undefined;
      const headers = { ...JSON.parse(reply.headers), 'Idempotency-Replayed': 'true' };
      return new Response(await decrypt(seal, key, reply.body), { status: reply.status, headers });
    },
  };
}

async function findReply(db: Database, where: SQL | undefined, fingerprint: string) {
  const query = sql<Reply>`select fingerprint, status, headers, body from ${replies} where ${where}`;
  const [[reply]] = await db.batch<[Reply]>([query]);
  if (reply && reply.fingerprint !== fingerprint)
    throw new Problem('key_reused', 'Use a new Idempotency-Key for each new request.');
  return reply;
}

/** Forgets answers that are older than 24 hours. */
export async function purgeReplies(db: Database, now: number): Promise<void> {
  await db.batch([sql`delete from ${replies} where ${replies.time} <= ${now - lifetime}`]);
}
