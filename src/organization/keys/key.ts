import type * as z from 'zod';
import { merge } from '../../base/fields.ts';
import { Problem } from '../../base/problem.ts';
import type { Key, KeyType, keyCreate, keyPatch } from './schema.ts';
import { scopesOf } from './type_scopes.ts';

function validateKey<K extends Pick<Key, 'type' | 'scopes' | 'environments' | 'targetAppID'>>(
  key: K,
): K {
  const { type, scopes, environments, targetAppID } = key;
  const { most: allowed, least: required } = scopesOf[type];
  const invalidIndex = scopes.findIndex((scope) => !allowed.includes(scope));
  if (invalidIndex >= 0)
    throw Problem.property(
      `scopes.${invalidIndex}`,
      `must be one of ${allowed.join(', ')} for ${type}`,
    );
  const missing = required.filter((scope) => !scopes.includes(scope));
  if (missing.length > 0)
    throw Problem.property('scopes', `must have ${missing.join(', ')} for ${type}`);
  const only = 'must be null for the type CONSOLE';
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

/** Returns the properties of a new key. @throws Problem 400 if the body is invalid */
export function newKey({ type = 'CONSOLE', ...body }: z.infer<typeof keyCreate>) {
  requireFuture(body.expiresTime);
  const scopes = body.scopes ?? scopesOf[type].least;
  if (scopes.length === 0) throw Problem.property('scopes', 'is required');
  return validateKey({ ...defaults, ...body, type, scopes });
}

/** SDKs refuse keys with another prefix. */
const prefixes = { CONSOLE: 'console', SERVER: 'secret', CLIENT: 'client' };

export const randomKey = (type: KeyType): string =>
  `${prefixes[type]}-${crypto.getRandomValues(new Uint8Array(32)).toHex()}`;

function requireFuture(expiresTime: number | null | undefined): void {
  if (expiresTime === null || expiresTime === undefined || expiresTime > Date.now()) return;
  throw Problem.property('expiresTime', 'must be in the future; deactivate a key to end it now');
}

export function patchKey(key: Key, body: z.infer<typeof keyPatch>): Key {
  if (body.expiresTime !== key.expiresTime) requireFuture(body.expiresTime);
  return validateKey(merge(key, body));
}

/** Restores the properties of an earlier version, not the key. @throws Problem 409 if deleted, 400 if expired */
export function restoreKey(snapshot: Key, current: Key | undefined): Key {
  if (!current)
    throw new Problem('transition', 'The API key was deleted permanently; create another one.');
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
