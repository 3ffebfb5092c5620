import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { Problem } from '../../base/problem.ts';
import { seal, unseal } from '../../base/sealing.ts';
import type { Service } from '../env.ts';

const lifetimeSeconds = 12 * 60 * 60;

const cookie = 'console';

const place = 'session';

/** Over HTTPS, the `__Host-` prefix ties the cookie to this host. */
const cookiePrefix = (c: Context): { prefix?: 'host' } =>
  new URL(c.req.url).protocol === 'https:' ? { prefix: 'host' } : {};

/** Throws Problem 403 unless the browser reports a request of the console itself; scripts cannot set the header. */
export function requireSameOrigin(c: Context): void {
  if (c.req.header('Sec-Fetch-Site') === 'same-origin') return;
  throw new Problem('forbidden', 'A session only works for requests from the console itself.');
}

/** Sets the cookie: a sealed key hash with an expiry, unreadable to scripts and on disk. */
export async function setSession(c: Context<Service>, hash: string): Promise<void> {
  const end = Date.now() + lifetimeSeconds * 1000;
  const sealed = await seal(c.env.SEALING_KEY, place, JSON.stringify({ hash, end }));
  setCookie(c, cookie, sealed, {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    maxAge: lifetimeSeconds,
    ...cookiePrefix(c),
  });
}

export function clearSession(c: Context): void {
  deleteCookie(c, cookie, { path: '/', ...cookiePrefix(c) });
}

async function unsealSession(c: Context<Service>, sealed: string): Promise<string | undefined> {
  try {
    const { hash, end } = JSON.parse(await unseal(c.env.SEALING_KEY, place, sealed));
    return end > Date.now() ? hash : undefined;
  } catch {
    return undefined; // altered, or sealed with another key
  }
}

/** Returns the key hash of a valid session, if any. @throws Problem 403 if the request comes from elsewhere */
export async function sessionHash(c: Context<Service>): Promise<string | undefined> {
  const sealed = getCookie(c, cookie, cookiePrefix(c).prefix);
  if (sealed === undefined) return undefined;
  requireSameOrigin(c);
  return unsealSession(c, sealed);
}
