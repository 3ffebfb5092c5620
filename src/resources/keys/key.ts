import type * as z from 'zod';
import { Problem } from '../../problem.ts';
import { merge } from '../../shared/fields.ts';
import type { Key, keyPatch } from './schema.ts';

/** 400 for a time that is past: a key that never worked, or ends as it is changed, is a slip of the pen. */
export function requireFuture(expiresTime: number | null | undefined, now = Date.now()): void {
  if (expiresTime === null || expiresTime === undefined || expiresTime > now) return;
  throw Problem.property('expiresTime', 'must be in the future; deactivate a key to end it now');
}

/** A key after a partial update. */
export function patchKey(key: Key, body: z.infer<typeof keyPatch>): Key {
  if (body.expiresTime !== key.expiresTime) requireFuture(body.expiresTime);
  return merge(key, body);
}

/**
 * What an earlier version becomes when it is restored: what is said of the key comes back, the key itself does not. One
 * that was rotated or deactivated stays so.
 * @throws Problem 409 where the key was deleted
 */
export function restoreKey(snapshot: Key, current: Key | undefined): Key {
  if (!current)
    throw new Problem('transition', 'The API key was deleted, for good; create another one.');
  const { name, scopes, ownerEmail, expiresTime } = snapshot;
  return { ...current, name, scopes, ownerEmail, expiresTime };
}
