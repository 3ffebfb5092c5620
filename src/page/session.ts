import type { Scope } from '../env.ts';
import { session as ask } from './api.ts';
import type { Session } from './types.ts';

let current: Session | null = null;

const tabs = new BroadcastChannel('session');

/** Who is signed in, as the server last said. */
export const whoIsIn = () => current;

/** Asks who is signed in. */
export async function readSession(): Promise<Session | null> {
  current = await ask<Session | null>('GET');
  return current;
}

/** Returns the name under which this tab keeps something of the key that is signed in, and of no other. */
export const ownName = (name: string) => `${current?.id} ${name}`;

/** Signs in with an API key, which goes to the server and is kept nowhere. */
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

/** Calls a function when another signs in in another tab: what is sent from here is theirs from then on. */
export function onAnother(listener: () => void): void {
  tabs.onmessage = ({ data }) => data !== current?.id && listener();
}

/** Why whoever is signed in cannot do what needs a scope; undefined who can. */
export function whyNot(scope: Scope): string | undefined {
  if (current?.scopes.includes(scope)) return undefined;
  return scope === 'write' ? 'This key is read-only' : `This key needs scope ${scope}`;
}
