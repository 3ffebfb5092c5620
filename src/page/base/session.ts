import type { KeyScope } from '../../platform/env.ts';
import { session as ask } from './api.ts';
import type { Session } from './types.ts';

let current: Session | null = null;

const tabs = new BroadcastChannel('session');

/** Returns the current session. */
export const whoIsIn = () => current;

/** Reads the current session. */
export async function readSession(): Promise<Session | null> {
  current = await ask<Session | null>('GET');
  return current;
}

/** Returns a storage key that belongs to the current API key. */
export const ownName = (name: string) => `${current?.id} ${name}`;

/** Starts a session with an API key, which is not stored. */
export async function signIn(key: string): Promise<Session> {
  const session = await ask<Session>('POST', { key });
  current = session;
  tabs.postMessage(session.id);
  return session;
}

export async function signOut(): Promise<void> {
  await ask<null>('DELETE');
  current = null;
}

/** Runs a function when another key signs in in another tab, because tabs share the cookie. */
export function onOtherSession(listener: () => void): void {
  tabs.onmessage = ({ data }) => data !== current?.id && listener();
}

/** Returns why the current key lacks a scope; undefined if it has it. */
export function whyNot(scope: KeyScope): string | undefined {
  if (current?.scopes.includes(scope)) return undefined;
  return scope === 'write' ? 'This key is read-only' : `This key needs scope ${scope}`;
}
