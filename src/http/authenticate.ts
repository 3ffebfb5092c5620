import type { MiddlewareHandler } from 'hono';
import type { Actor, Scope, Service } from '../env.ts';
import { scopes } from '../env.ts';
import { Problem } from '../problem.ts';
import type { Database } from '../store/database.ts';

/** What is known of an API key. */
export interface KnownKey {
  id: string;
  name: string;
  ownerEmail: string | null;
  scopes: Scope[];
  isActive: boolean;
  expiresTime: number | null;
}

/** Looks a key up by the SHA-256 of its text. */
type FindKey = (db: Database, hash: string) => Promise<KnownKey | undefined>;

/** How long an isolate trusts what it knows of a key, in milliseconds. */
const trust = 30_000;

const known = new Map<string, { key: KnownKey; until: number }>();

/** Forgets all keys, as after a change of one. Other isolates follow within 30 seconds. */
export const forgetKeys = () => known.clear();

const encoder = new TextEncoder();

/** SHA-256 of a key, in hexadecimal: all that is ever stored of it. */
export async function hashKey(secret: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(secret))).toHex();
}

const equal = (a: string, b: string) =>
  crypto.subtle.timingSafeEqual(encoder.encode(a), encoder.encode(b));

async function knownKey(find: FindKey, db: Database, hash: string): Promise<KnownKey | undefined> {
  const cached = known.get(hash);
  if (cached && cached.until > Date.now()) return cached.key;
  const key = await find(db, hash);
  if (key) known.set(hash, { key, until: Date.now() + trust });
  return key;
}

let root = { key: '', hash: '' };

/** The hash of the root key, which is made once an isolate: each request's key is compared with it. */
async function rootHash(key: string): Promise<string> {
  if (root.key !== key) root = { key, hash: await hashKey(key) };
  return root.hash;
}

const rootActor: Actor = { id: 'root', name: 'CONSOLE API', email: null, scopes };

const isUsable = ({ isActive, expiresTime }: KnownKey) =>
  isActive && (expiresTime === null || expiresTime > Date.now());

/** Requires a valid SERVICE-API-KEY: 401 otherwise. */
export const authenticate =
  (find: FindKey): MiddlewareHandler<Service> =>
  async (c, next) => {
    const secret = c.req.header('SERVICE-API-KEY');
    if (!secret)
      throw new Problem('unauthorized', 'Send your API key in the SERVICE-API-KEY header.');
    const hash = await hashKey(secret);
    const { ROOT_API_KEY } = c.env;
    if (ROOT_API_KEY && equal(hash, await rootHash(ROOT_API_KEY))) c.set('actor', rootActor);
    else {
      const key = await knownKey(find, c.get('db'), hash);
      if (!key || !isUsable(key))
        throw new Problem('unauthorized', 'This API key is unknown, deactivated or expired.');
      c.set('actor', { id: key.id, name: key.name, email: key.ownerEmail, scopes: key.scopes });
    }
    await next();
  };
