import { createHmac } from 'node:crypto';
import { Problem } from '../../base/problem.ts';
import { dayLength, hourLength } from '../../base/time.ts';
import type { Platform } from '../../platform/env.ts';
import { isSame } from '../../platform/http/authenticate.ts';
import { type Caller, callerWithID } from './caller.ts';
import type { Snapshot } from './snapshot.ts';

/** Minimum lifetime of a token, in milliseconds. */
export const tokenLifetime = dayLength;

/** Keyed with the hash of the API key, which only the service and the owner of the key know. */
const sign = ({ id, hash }: Caller, purpose: string, expiry: number): string =>
  createHmac('sha256', hash).update(`${purpose}\n${id}\n${expiry}`).digest('hex');

/** Returns a token for URLs requested without an API key, valid only for `purpose`. `now` in epoch milliseconds. */
export function tokenFor(caller: Caller, purpose: string, now: number): string {
  // Rounded to the hour, so that responses with a token stay equal.
  const expiry = Math.ceil(now / hourLength) * hourLength + tokenLifetime;
  return `${caller.id}.${expiry}.${sign(caller, purpose, expiry)}`;
}

/** Returns the application of a token. `@throws Problem` 401 if it is expired, or issued for another purpose. */
export function tokenCaller(
  token: string | undefined,
  purpose: string,
  snapshot: Snapshot,
  env: Platform,
): Caller {
  const [, id = '', expiry = '', signature = ''] = /^(.+)\.(\d+)\.(\w+)$/.exec(token ?? '') ?? [];
  const caller = callerWithID(id, snapshot, env);
  const isValid =
    caller &&
    Number(expiry) > Date.now() &&
    isSame(signature, sign(caller, purpose, Number(expiry)));
  if (!isValid)
    throw new Problem('unauthorized', 'The token is invalid or expired: request a new one.');
  return caller;
}
