import { sql } from 'drizzle-orm';
import type { MiddlewareHandler } from 'hono';
import type { Actor, Resource, Service } from '../env.ts';
import { scopes } from '../env.ts';
import { Problem } from '../problem.ts';
import type { Key } from '../resources/keys/schema.ts';
import { keyTable } from '../resources/keys/table.ts';
import type { Database } from '../store/database.ts';

/** How long an isolate trusts what it knows of a key, in milliseconds. */
const trust = 30_000;

const known = new Map<string, { key: Key; until: number }>();

/** Forgets all keys, as after a change of one. Other isolates follow within 30 seconds. */
export const forgetKeys = () => known.clear();

/** SHA-256 of a key, in hexadecimal: all that is ever stored of it. */
export async function hashKey(secret: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function equal(a: string, b: string): boolean {
  const encoder = new TextEncoder();
  return crypto.subtle.timingSafeEqual(encoder.encode(a), encoder.encode(b));
}

async function findKey(db: Database, hash: string): Promise<Key | undefined> {
  const cached = known.get(hash);
  if (cached && cached.until > Date.now()) return cached.key;
  const query = sql<{
    data: string;
  }>`select data from ${keyTable} where ${keyTable.hash} = ${hash}`;
  const [rows] = await db.batch<[{ data: string }]>([query]);
  if (!rows[0]) return undefined;
  const key: Key = JSON.parse(rows[0].data);
  known.set(hash, { key, until: Date.now() + trust });
  return key;
}

const root: Actor = { id: 'root', name: 'CONSOLE API', email: null, scopes };

/** Finds who presents a key; nobody where it is unknown, deactivated or expired. */
async function actorOf(secret: string, rootKey: string, db: Database): Promise<Actor | undefined> {
  const hash = await hashKey(secret);
  if (rootKey && equal(hash, await hashKey(rootKey))) return root;
  const key = await findKey(db, hash);
  if (!key?.isActive || (key.expiresTime !== null && key.expiresTime <= Date.now()))
    return undefined;
  return { id: key.id, name: key.name, email: key.ownerEmail, scopes: key.scopes };
}

/** Which scope a request needs: keys are for admins, reads for readers, the rest for writers. */
function needed(method: string, path: string) {
  if (/^\/console\/v1\/(keys|wh_connections)(\/|$)/.test(path)) return 'admin';
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}

/**
 * Requires the scope that a request needs: 403 otherwise. It stands before the resources, where each request and each
 * of many changes comes by, and reads the path as the router does.
 */
export const authorize: MiddlewareHandler<Resource> = async (c, next) => {
  const scope = needed(c.req.method, c.req.path);
  if (!c.env.tx.author.actor.scopes.includes(scope))
    throw new Problem('forbidden', `This operation needs an API key with the scope ${scope}.`);
  await next();
};

/** Requires a valid SERVICE-API-KEY: 401 otherwise. */
export const authenticate: MiddlewareHandler<Service> = async (c, next) => {
  const secret = c.req.header('SERVICE-API-KEY');
  if (!secret)
    throw new Problem('unauthorized', 'Send your API key in the SERVICE-API-KEY header.');
  const actor = await actorOf(secret, c.env.ROOT_API_KEY, c.get('db'));
  if (!actor) throw new Problem('unauthorized', 'This API key is unknown, deactivated or expired.');
  c.set('actor', actor);
  await next();
};
