import type { Context, MiddlewareHandler } from 'hono';
import { type Actor, type Scope, type Service, scopes } from '../env.ts';
import { Problem } from '../problem.ts';
import { sha256 } from '../shared/sha256.ts';
import type { Database } from '../store/sql/database.ts';
import { setSecret } from './respond.ts';
import { sessionHash } from './session_cookie.ts';

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
export type FindKey = (db: Database, hash: string) => Promise<KnownKey | undefined>;

/** How long an isolate trusts what it knows of a key, in milliseconds. */
const trust = 30_000;

const known = new Map<string, { key: KnownKey; until: number }>();

/** How often keys were forgotten, so that a look-up which began before that keeps nothing after it. */
let forgotten = 0;

/** Forgets all keys, as after a change of one. Other isolates follow within 30 seconds. */
export function forgetKeys(): void {
  forgotten++;
  known.clear();
}

const encoder = new TextEncoder();

/** Whether two secrets are the same; the time it takes tells their lengths, and nothing else. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [encoder.encode(one), encoder.encode(other)];
  return a.length === b.length && crypto.subtle.timingSafeEqual(a, b);
}

async function knownKey(find: FindKey, db: Database, hash: string): Promise<KnownKey | undefined> {
  const cached = known.get(hash);
  const left = cached ? cached.until - Date.now() : 0;
  if (cached && left > 0 && left <= trust) return cached.key; // the clock may have been set back
  const asked = forgotten;
  const until = Date.now() + trust;
  const key = await find(db, hash);
  if (key && asked === forgotten) known.set(hash, { key, until });
  return key;
}

/** The hash of a key, of which the newest is kept. */
function keptHash(): (key: string) => string {
  let newest = { key: '', hash: '' };
  return (key) => {
    if (!isSame(newest.key, key)) newest = { key, hash: sha256(key) };
    return newest.hash;
  };
}

/** The hash of the root key, which is made once an isolate: each request's key is compared with it. */
const rootHash = keptHash();

/** The hash of the key of a request, kept because most callers ask again. */
export const hashOfCaller = keptHash();

const rootActor: Actor = { id: 'root', name: 'CONSOLE API', email: null, scopes };

/** Whether a key opens anything at a time, in epoch milliseconds. */
export const isUsable = (
  { isActive, expiresTime }: Pick<KnownKey, 'isActive' | 'expiresTime'>,
  now: number,
): boolean => isActive && (expiresTime === null || expiresTime > now);

/** Who makes calls with the key of a hash; nobody where it is unknown, deactivated or expired. */
export async function actorOf(
  c: Context<Service>,
  find: FindKey,
  hash: string,
): Promise<Actor | undefined> {
  const { ROOT_API_KEY } = c.env;
  if (ROOT_API_KEY && isSame(hash, rootHash(ROOT_API_KEY))) return rootActor;
  const key = await knownKey(find, c.get('db'), hash);
  if (!key || !isUsable(key, Date.now())) return undefined;
  return { id: key.id, name: key.name, email: key.ownerEmail, scopes: key.scopes };
}

/** Whether a text can be the root key: headers lose the blanks at its ends, and not all clients send other than ASCII. */
export const isRootKey = (text = '') => /^[!-~]([ -~]*[!-~])?$/.test(text);

/** What is wrong with a text that cannot, and what mends it. */
export const noRootKey =
  'the secret ROOT_API_KEY is not set, or cannot be sent, as it is not ASCII or has blanks around it: ' +
  setSecret('ROOT_API_KEY');

/** 401 for a key that opens nothing; 503 where it may be the root key, which the deployment does not know. */
export const unknownKey = (c: Context<Service>) =>
  isRootKey(c.env.ROOT_API_KEY)
    ? new Problem('unauthorized', 'This API key is unknown, deactivated or expired.')
    : new Problem('incomplete', `This API key is unknown, and ${noRootKey}.`);

/** Where a key may stand: in the contract's header, or in that which clients of the public service send. */
const keyOf = (c: Context<Service>) =>
  c.req.header('SERVICE-API-KEY') || c.req.header('STATSIG-API-KEY');

/** The hash of the key behind a request, and what only its sender and this Worker know. */
async function credentialOf(c: Context<Service>) {
  const secret = keyOf(c);
  if (secret) return { hash: hashOfCaller(secret), secret };
  const hash = await sessionHash(c);
  return hash === undefined ? undefined : { hash, secret: `${c.env.SEALING_KEY} ${hash}` };
}

/** Requires a valid SERVICE-API-KEY, or the session of the console page: 401 otherwise. */
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
