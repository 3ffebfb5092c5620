import { memoize } from '../../base/memoize.ts';
import { Problem } from '../../base/problem.ts';
import { sha256Hex } from '../../base/sha256.ts';
import type { Exposure } from '../../data/exposures/table.ts';
import { unboundedScope } from '../../engine/evaluation/compile.ts';
import { allReports, type KeyType, type Reports } from '../../organization/keys/schema.ts';
import type { KeyScope, Platform } from '../../platform/env.ts';
import { hashOfCaller, isSame, isUsable } from '../../platform/http/authenticate.ts';
import type { Snapshot } from './snapshot.ts';

export interface Caller {
  readonly id: string;
  /** SHA-256 of the key, in hexadecimal. */
  readonly hash: string;
  readonly type: KeyType;
  readonly scopes: readonly KeyScope[];
  /** The environments the key may evaluate in; null for all. */
  readonly environments: readonly string[] | null;
  /** The target app the key evaluates for; null for all. */
  readonly targetAppID: string | null;
  readonly reports: Reports;
}

/** Returns the kind of sender that an application is, which it cannot choose. */
export const senderOf = ({ type }: Pick<Caller, 'type'>): Exposure['sender'] =>
  type === 'CLIENT' ? 'client' : 'server';

/** Returns which reports of an application are recorded. A key that an older version of the service changed has no switches. */
export const switchesOf = ({ reports }: Caller): Reports => ({ ...allReports, ...reports });

function keysOf({ ROOT_API_KEY, LOCAL_SERVER_KEY, LOCAL_CLIENT_KEY }: Platform): Caller[] {
  const bindings: [string | undefined, Pick<Caller, 'id' | 'type' | 'scopes'>][] = [
    [ROOT_API_KEY, { id: 'root', type: 'SERVER', scopes: ['evaluate', 'specs'] }],
    [LOCAL_SERVER_KEY, { id: 'local_server', type: 'SERVER', scopes: ['evaluate', 'specs'] }],
    [LOCAL_CLIENT_KEY, { id: 'local_client', type: 'CLIENT', scopes: ['evaluate'] }],
  ];
  return bindings.flatMap(([text, key]) =>
    text ? [{ ...key, ...unboundedScope, reports: allReports, hash: sha256Hex(text) }] : [],
  );
}

const fixedKeys = memoize(keysOf);

function callerOf(hash: string, snapshot: Snapshot, env: Platform): Caller | undefined {
  const key = snapshot.keys.get(hash);
  if (!key) return fixedKeys(env).find((fixed) => isSame(fixed.hash, hash));
  return isUsable(key, Date.now()) ? key : undefined;
}

const unknownApplication = () =>
  new Problem(
    'unauthorized',
    'The API key is unknown or not usable: use an active, unexpired key of type SERVER or CLIENT.',
  );

/** Returns the application of a key. No round trip. @throws Problem 401 without a usable key, 403 without the scope */
export function identify(
  key: string | undefined,
  needed: KeyScope,
  snapshot: Snapshot,
  env: Platform,
): Caller {
  if (!key)
    throw new Problem('unauthorized', 'The API key is missing: send it as Authorization: Bearer.');
  const caller = callerOf(hashOfCaller(key), snapshot, env);
  if (!caller) throw unknownApplication();
  if (!caller.scopes.includes(needed))
    throw new Problem('forbidden', `The API key lacks the scope ${needed}: use a key that has it.`);
  return caller;
}

/** Returns the application with a key's id, if the key is usable; for tokens, which do not contain the key. */
export function callerWithID(id: string, snapshot: Snapshot, env: Platform): Caller | undefined {
  const key = snapshot.collections.keys.get(id);
  if (key) return callerOf(key.hash, snapshot, env);
  return fixedKeys(env).find((fixed) => fixed.id === id);
}
