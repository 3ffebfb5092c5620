import type { Context, MiddlewareHandler } from 'hono';
import { Problem } from '../../base/problem.ts';
import { sha256Hex } from '../../base/sha256.ts';
import { type KeyScope, type ScopedActor, type Service, scopes } from '../env.ts';
import type { Database } from '../store/sql/database.ts';
import { setSecretCommand } from './respond.ts';
import { sessionHash } from './session_cookie.ts';

export interface KnownKey {
  id: string;
  name: string;
  ownerEmail: string | null;
  scopes: KeyScope[];
  isActive: boolean;
  expiresTime: number | null;
}

export type FindKey = (db: Database, hash: string) => Promise<KnownKey | undefined>;

const keyCacheMilliseconds = 30_000;

const cachedKeys = new Map<string, { key: KnownKey; until: number }>();

/** The number of cache clears: a read that began before a clear must not fill the cache after it. */
let cacheGeneration = 0;

/** Clears the key cache of this isolate; other isolates follow within 30 seconds. */
export function forgetKeys(): void {
  cacheGeneration++;
  cachedKeys.clear();
}

const encoder = new TextEncoder();

/** Whether two secrets are equal, compared in constant time for equal lengths. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [encoder.encode(one), encoder.encode(other)];
  return a.length === b.length && crypto.subtle.timingSafeEqual(a, b);
}

async function knownKey(find: FindKey, db: Database, hash: string): Promise<KnownKey | undefined> {
  const cached = cachedKeys.get(hash);
  const left = cached ? cached.until - Date.now() : 0;
  if (cached && left > 0 && left <= keyCacheMilliseconds) return cached.key; // the clock may have been set back
  const generation = cacheGeneration;
  const until = Date.now() + keyCacheMilliseconds;
  const key = await find(db, hash);
  if (key && generation === cacheGeneration) cachedKeys.set(hash, { key, until });
  return key;
}

function memoizedHash(): (key: string) => string {
  let newest = { key: '', hash: '' };
  return (key) => {
    if (!isSame(newest.key, key)) newest = { key, hash: sha256Hex(key) };
    return newest.hash;
  };
}

const rootHash = memoizedHash();

/** Returns the hash of a request's key; most callers repeat the last one. */
export const hashOfCaller = memoizedHash();

const rootActor: ScopedActor = { id: 'root', name: 'CONSOLE API', email: null, scopes };

/** Whether a key is active and not expired at a time in epoch milliseconds. */
export const isUsable = (
  { isActive, expiresTime }: Pick<KnownKey, 'isActive' | 'expiresTime'>,
  now: number,
): boolean => isActive && (expiresTime === null || expiresTime > now);

/** Returns the actor of a key hash; undefined if the key is unknown, deactivated or expired. */
export async function actorOf(
  c: Context<Service>,
  find: FindKey,
  hash: string,
): Promise<ScopedActor | undefined> {
  const { ROOT_API_KEY } = c.env;
  if (ROOT_API_KEY && isSame(hash, rootHash(ROOT_API_KEY))) return rootActor;
  const key = await knownKey(find, c.get('db'), hash);
  if (!key || !isUsable(key, Date.now())) return undefined;
  return { id: key.id, name: key.name, email: key.ownerEmail, scopes: key.scopes };
}

/** Whether a text can be sent as the root key: headers lose outer blanks, and some clients send only ASCII. */
export const isRootKey = (text = '') => /^[!-~]([ -~]*[!-~])?$/.test(text);

export const rootKeyFault =
  'the secret ROOT_API_KEY is not set, is not ASCII, or begins or ends with a blank: ' +
  setSecretCommand('ROOT_API_KEY');

/** Returns Problem 401 for an unusable key, or 503 if the deployment has no usable root key. */
export const unknownKey = (c: Context<Service>) =>
  isRootKey(c.env.ROOT_API_KEY)
    ? new Problem('unauthorized', 'This API key is unknown, deactivated or expired.')
    : new Problem('incomplete', `This API key is unknown, and ${rootKeyFault}.`);

const keyInRequest = (c: Context<Service>) =>
  c.req.header('SERVICE-API-KEY') || c.req.header('STATSIG-API-KEY');

async function credentialOf(c: Context<Service>) {
  const secret = keyInRequest(c);
  if (secret) return { hash: hashOfCaller(secret), secret };
  const hash = await sessionHash(c);
  return hash === undefined ? undefined : { hash, secret: `${c.env.SEALING_KEY} ${hash}` };
}

/** Requires a valid SERVICE-API-KEY or the session of the console. @throws Problem 401 */
export const authenticate =
  (find: FindKey): MiddlewareHandler<Service> =>
  async (c, next) => {
    const credential = await credentialOf(c);
    if (!credential)
      throw new Problem('unauthorized', 'Send your API key in the SERVICE-API-KEY header.');
    const actor = await actorOf(c, find, credential.hash);
    if (!actor) throw unknownKey(c);
    c.set('actor', actor);
    c.set('secret', credential.secret);
    await next();
  };
