import type { Platform, Scope } from '../env.ts';
import { unbounded } from '../evaluation/compile.ts';
import { hashOfCaller, isSame, isUsable } from '../http/authenticate.ts';
import { Problem } from '../problem.ts';
import type { KeyType } from '../resources/keys/schema.ts';
import { madeOnce } from '../shared/made_once.ts';
import { sha256 } from '../shared/sha256.ts';
import type { Snapshot } from './snapshot.ts';

/** Which application asks: what is known of its key. */
export interface Caller {
  readonly id: string;
  /** The SHA-256 of the key, in hexadecimal. */
  readonly hash: string;
  readonly type: KeyType;
  readonly scopes: readonly Scope[];
  /** The environments it evaluates in; null for all. */
  readonly environments: readonly string[] | null;
  /** The app it evaluates for; null for all. */
  readonly targetAppID: string | null;
}

/** The keys that the deployment itself has: the root key, and those of local development. */
function keysOf({ ROOT_API_KEY, LOCAL_SERVER_KEY, LOCAL_CLIENT_KEY }: Platform): Caller[] {
  const given: [string | undefined, Pick<Caller, 'id' | 'type' | 'scopes'>][] = [
    [ROOT_API_KEY, { id: 'root', type: 'SERVER', scopes: ['evaluate', 'specs'] }],
    [LOCAL_SERVER_KEY, { id: 'local_server', type: 'SERVER', scopes: ['evaluate', 'specs'] }],
    [LOCAL_CLIENT_KEY, { id: 'local_client', type: 'CLIENT', scopes: ['evaluate'] }],
  ];
  return given.flatMap(([text, key]) =>
    text ? [{ ...key, ...unbounded, hash: sha256(text) }] : [],
  );
}

/** Those keys, by the bindings that an isolate has all its life. */
const fixedKeys = madeOnce(keysOf);

/** The application behind the hash of a key; undefined where it is unknown, deactivated or expired. */
function callerOf(hash: string, snapshot: Snapshot, env: Platform): Caller | undefined {
  const key = snapshot.keys.get(hash);
  if (!key) return fixedKeys(env).find((fixed) => isSame(fixed.hash, hash));
  return isUsable(key, Date.now()) ? key : undefined;
}

/** 401 for a key with which nothing can be asked, even one that manages the project. */
const unknownApplication = () =>
  new Problem(
    'unauthorized',
    'No application has this API key: it must be of type SERVER or CLIENT, active and not expired.',
  );

/**
 * The application that asks with a key. Known keys are part of what is known of the project, so that none takes a trip to
 * the database, nor does one that is guessed.
 * @throws Problem 401 where the key is absent or does not work, 403 where it lacks the scope
 */
export function identify(
  key: string | undefined,
  needed: Scope,
  snapshot: Snapshot,
  env: Platform,
): Caller {
  if (!key) throw new Problem('unauthorized', 'Send an API key as Authorization: Bearer.');
  const caller = callerOf(hashOfCaller(key), snapshot, env);
  if (!caller) throw unknownApplication();
  if (!caller.scopes.includes(needed))
    throw new Problem('forbidden', `This needs an API key with the scope ${needed}.`);
  return caller;
}

/** The application with the id of a key, where it still works; for tokens, which do not hold the key. */
export function callerWithID(id: string, snapshot: Snapshot, env: Platform): Caller | undefined {
  const key = snapshot.collections.keys.get(id);
  if (key) return callerOf(key.hash, snapshot, env);
  return fixedKeys(env).find((fixed) => fixed.id === id);
}
