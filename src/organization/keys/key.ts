import type * as z from 'zod';
import { merge } from '../../base/fields.ts';
import { Problem } from '../../base/problem.ts';
import { allReports, type Key, type KeyType, type keyCreate, type keyPatch } from './schema.ts';
import { scopesOf } from './type_scopes.ts';

type Validated = 'type' | 'scopes' | 'environments' | 'targetAppID' | 'reports';

function validateKey<K extends Pick<Key, Validated>>(key: K): K {
  const { type, scopes, environments, targetAppID, reports } = key;
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
  const isSwitched = !reports.events || !reports.exposures;
  if (type === 'CONSOLE' && isSwitched)
    throw Problem.property('reports', 'must be true in both for the type CONSOLE');
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
  const reports = { ...allReports, ...body.reports };
  return validateKey({ ...defaults, ...body, type, scopes, reports });
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
  const reports = { ...key.reports, ...body.reports };
  return validateKey(merge(key, { ...body, reports }));
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
    reports = allReports,
  } = snapshot;
  if (expiresTime !== current.expiresTime) requireFuture(expiresTime);
  const restored = { name, scopes, ownerEmail, expiresTime, environments, targetAppID, reports };
  return { ...current, ...restored };
}
