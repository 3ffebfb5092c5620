import { createHmac } from 'node:crypto';
import type { Platform } from '../env.ts';
import { isSame } from '../http/authenticate.ts';
import { Problem } from '../problem.ts';
import { dayLength, hourLength } from '../shared/durations.ts';
import { type Caller, callerWithID } from './caller.ts';
import type { Snapshot } from './snapshot.ts';

/** How long a token is good for, in milliseconds. */
export const lifetime = dayLength;

/** The signature of what a token is for, by the hash of the key, which none but us and the holder of the key knows. */
const sign = ({ id, hash }: Caller, purpose: string, expiry: number): string =>
  createHmac('sha256', hash).update(`${purpose}\n${id}\n${expiry}`).digest('hex');

/**
 * A token for addresses that are asked without a key, as by an event source: it says whose it is and until when.
 * @param purpose what it is good for, and nothing else
 * @param now in epoch milliseconds
 */
export function tokenFor(caller: Caller, purpose: string, now: number): string {
  // The same for an hour, so that answers which carry one are alike.
  const expiry = Math.ceil(now / hourLength) * hourLength + lifetime;
  return `${caller.id}.${expiry}.${sign(caller, purpose, expiry)}`;
}

/**
 * The application behind a token.
 * @throws Problem 401 where it is not good for the purpose, or no longer
 */
export function bearerOf(
  token: string | undefined,
  purpose: string,
  snapshot: Snapshot,
  env: Platform,
): Caller {
  const [, id = '', expiry = '', signature = ''] = /^(.+)\.(\d+)\.(\w+)$/.exec(token ?? '') ?? [];
  const caller = callerWithID(id, snapshot, env);
  const isGood =
    caller &&
    Number(expiry) > Date.now() &&
    isSame(signature, sign(caller, purpose, Number(expiry)));
  if (!isGood) throw new Problem('unauthorized', 'The token is unknown or no longer valid.');
  return caller;
}
