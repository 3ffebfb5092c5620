import type * as z from 'zod';
import { Problem } from '../../problem.ts';
import { merge } from '../../shared/fields.ts';
import type { Key, KeyType, keyCreate, keyPatch } from './schema.ts';
import { scopesOf } from './type_scopes.ts';

/** 400 for scopes that keys of a type do not have, and for a part of the project given to one that manages it. */
function check<K extends Pick<Key, 'type' | 'scopes' | 'environments' | 'targetAppID'>>(key: K): K {
  const { type, scopes, environments, targetAppID } = key;
  const { most, least } = scopesOf[type];
  const strange = scopes.findIndex((scope) => !most.includes(scope));
  if (strange >= 0)
    throw Problem.property(`scopes.${strange}`, `must be one of ${most.join(', ')} for ${type}`);
  const lacking = least.filter((scope) => !scopes.includes(scope));
  if (lacking.length > 0)
    throw Problem.property('scopes', `must have ${lacking.join(', ')} for ${type}`);
  const only = 'is for keys of type SERVER and CLIENT';
  if (type === 'CONSOLE' && environments) throw Problem.property('environments', only);
  if (type === 'CONSOLE' && targetAppID !== null) throw Problem.property('targetAppID', only);
  return key;
}

const defaults = {
  environments: null,
  targetAppID: null,
  expiresTime: null,
  ownerEmail: null,
  isActive: true,
};

/** What the body of its creation says of a key. */
export function newKey({ type = 'CONSOLE', ...body }: z.infer<typeof keyCreate>) {
  requireFuture(body.expiresTime);
  const scopes = body.scopes ?? scopesOf[type].least;
  if (scopes.length === 0) throw Problem.property('scopes', 'is required');
  return check({ ...defaults, ...body, type, scopes });
}

/** How the text of a key begins: SDKs refuse keys of another kind by it. */
const prefixes = { CONSOLE: 'console', SERVER: 'secret', CLIENT: 'client' };

/** The text of a new key: 256 random bits. */
export const randomKey = (type: KeyType): string =>
  `${prefixes[type]}-${crypto.getRandomValues(new Uint8Array(32)).toHex()}`;

/** 400 for a time that is past: a key that never worked, or ends as it is changed, is a slip of the pen. */
function requireFuture(expiresTime: number | null | undefined): void {
  if (expiresTime === null || expiresTime === undefined || expiresTime > Date.now()) return;
  throw Problem.property('expiresTime', 'must be in the future; deactivate a key to end it now');
}

/** A key after a partial update. */
export function patchKey(key: Key, body: z.infer<typeof keyPatch>): Key {
  if (body.expiresTime !== key.expiresTime) requireFuture(body.expiresTime);
  return check(merge(key, body));
}

/**
 * What an earlier version becomes when it is restored: what is said of the key comes back, the key itself does not. One
 * that was rotated or deactivated stays so.
 * @throws Problem 409 where the key was deleted, 400 where the expiry that would come back has passed
 */
export function restoreKey(snapshot: Key, current: Key | undefined): Key {
  if (!current)
    throw new Problem('transition', 'The API key was deleted, for good; create another one.');
  const {
    name,
    scopes,
    ownerEmail,
    expiresTime,
    environments = null,
    targetAppID = null,
  } = snapshot;
  if (expiresTime !== current.expiresTime) requireFuture(expiresTime);
  return { ...current, name, scopes, ownerEmail, expiresTime, environments, targetAppID };
}
