import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Service } from '../env.ts';
import { Problem } from '../problem.ts';
import { seal, unseal } from '../shared/sealing.ts';

/** How long a session of a browser lasts, in seconds. */
const lifetime = 12 * 60 * 60;

const cookie = 'console';

/** What a seal of this purpose is bound to. */
const place = 'session';

/** Over https the cookie is secure, and has the prefix that ties it to this very host. */
const tied = (c: Context): { prefix?: 'host' } =>
  new URL(c.req.url).protocol === 'https:' ? { prefix: 'host' } : {};

/**
 * 403 for a request that another site, another origin or an address typed in may have caused, whatever it asks for. A
 * browser says so itself in `Sec-Fetch-Site`, and lets no script say otherwise.
 */
export function requireSameOrigin(c: Context): void {
  if (c.req.header('Sec-Fetch-Site') === 'same-origin') return;
  throw new Problem('forbidden', 'A session counts for the requests of its own page alone.');
}

/** Sets the cookie: the hash of a key and an end, sealed, so that no script and no reader of the disk learns of it. */
export async function setSession(c: Context<Service>, hash: string): Promise<void> {
  const end = Date.now() + lifetime * 1000;
  const sealed = await seal(c.env.SEALING_KEY, place, JSON.stringify({ hash, end }));
  setCookie(c, cookie, sealed, {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    maxAge: lifetime,
    ...tied(c),
  });
}

/** Takes the cookie back. */
export function clearSession(c: Context): void {
  deleteCookie(c, cookie, { path: '/', ...tied(c) });
}

async function opened(c: Context<Service>, sealed: string): Promise<string | undefined> {
  try {
    const { hash, end } = JSON.parse(await unseal(c.env.SEALING_KEY, place, sealed));
    return end > Date.now() ? hash : undefined;
  } catch {
    return undefined; // Altered, or sealed under an earlier key.
  }
}

/**
 * The hash of the key that a session was begun with; nothing without a cookie, and for one that was altered or is over.
 * @throws Problem 403 where a cookie comes with a request that is not of the page's own
 */
export async function sessionHash(c: Context<Service>): Promise<string | undefined> {
  const sealed = getCookie(c, cookie, tied(c).prefix);
  if (sealed === undefined) return undefined;
  requireSameOrigin(c);
  return opened(c, sealed);
}
