import type { Scope } from '../../env.ts';
import { isUsable } from '../../http/authenticate.ts';
import { Problem } from '../../problem.ts';
import type { Key } from './schema.ts';

/** The scopes that a change of a key puts into somebody's hands: all of a new, rotated or revived one, else the added ones. */
function given(before: Key | undefined, after: Key | undefined, now: number): Scope[] {
  if (!after) return [];
  const isSame = before?.hash === after.hash;
  const isRevived = before && !isUsable(before, now) && isUsable(after, now);
  // What is deactivated opens nothing; what has expired is prolonged by others, who do not know who has its text.
  const old = before && (!after.isActive || (isSame && !isRevived)) ? before.scopes : [];
  return after.scopes.filter((scope) => !old.includes(scope));
}

/** Whether a caller may give a scope: its own, and to evaluate whoever reads what is evaluated. */
const mayGive = (own: readonly string[], scope: Scope) =>
  own.includes(scope) || (own.includes('read') && ['evaluate', 'specs'].includes(scope));

/**
 * Lets nobody give a key what they lack themselves, not even to their own.
 * @param own the scopes of the caller
 * @param now in epoch milliseconds
 * @throws Problem 403 that names the first scope that the caller lacks
 */
export function requireOwnScopes(
  own: readonly string[],
  before: Key | undefined,
  after: Key | undefined,
  now: number,
): void {
  const beyond = given(before, after, now).find((scope) => !mayGive(own, scope));
  if (beyond)
    throw new Problem(
      'forbidden',
      `The scope ${beyond} can only be given by an API key that has it, and this one has ${own.join(', ')}.`,
    );
}
