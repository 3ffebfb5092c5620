import { Problem } from '../../base/problem.ts';
import type { KeyScope } from '../../platform/env.ts';
import { isUsable } from '../../platform/http/authenticate.ts';
import type { Key } from './schema.ts';

function grantedScopes(before: Key | undefined, after: Key | undefined, now: number): KeyScope[] {
  if (!after) return [];
  const isSame = before?.hash === after.hash;
  const isRevived = before && !isUsable(before, now) && isUsable(after, now);
  // A deactivated key opens nothing. An expired key counts as new: the caller may not know its holder.
  const old = before && (!after.isActive || (isSame && !isRevived)) ? before.scopes : [];
  return after.scopes.filter((scope) => !old.includes(scope));
}

const mayGrant = (own: readonly string[], scope: KeyScope) =>
  own.includes(scope) || (own.includes('read') && ['evaluate', 'specs'].includes(scope));

/** Throws Problem 403 if a change grants a scope that the caller lacks; `now` in epoch milliseconds. */
export function requireOwnScopes(
  own: readonly string[],
  before: Key | undefined,
  after: Key | undefined,
  now: number,
): void {
  const beyond = grantedScopes(before, after, now).find((scope) => !mayGrant(own, scope));
  if (beyond)
    throw new Problem(
      'forbidden',
      `The scope ${beyond} can only be granted by an API key that has it; this one has ${own.join(', ')}.`,
    );
}
