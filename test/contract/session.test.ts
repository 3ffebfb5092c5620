import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import worker from '../../src/index.ts';
import { forgetKeys } from '../../src/platform/http/authenticate.ts';
import { ok, send } from '../support/client.ts';
import { makeKey, unique } from '../support/factories.ts';

const path = '/console/session';
const own = { 'Sec-Fetch-Site': 'same-origin' };

afterEach(() => {
  vi.useRealTimers();
});

/** Sends a request as the page would: without a key, of its own origin. */
async function asPage(method: string, to: string, headers: Record<string, string>, body?: unknown) {
  const answer = await send(method, to, { key: null, headers: { ...own, ...headers }, body });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : null };
}

/** The same over https. */
function overHTTPS(method: string, to: string, headers: Record<string, string>, body?: unknown) {
  const request = new Request(`https://console.test${to}`, {
    method,
    headers: { ...own, 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return worker.fetch(request, env, createExecutionContext());
}

/** The cookie of an answer, as the browser would send it back. */
const cookieOf = ({ headers }: { headers: Headers }): string =>
  (headers.get('Set-Cookie') ?? '').split(';')[0] ?? '';

/** Signs in, and answers the cookie. */
async function signIn(key = env.ROOT_API_KEY): Promise<string> {
  const answer = await asPage('POST', path, {}, { key });
  expect(answer.status).toBe(201);
  return cookieOf(answer);
}

const statusWith = async (cookie: string, headers: Record<string, string> = {}) =>
  (await asPage('GET', 'gates', { Cookie: cookie, ...headers })).status;

describe('signing in', () => {
  test('answers who it is, in a cookie that no script reads and no other site sends', async () => {
    const { status, headers, body } = await asPage('POST', path, {}, { key: env.ROOT_API_KEY });
    expect([status, body.data.name]).toEqual([201, 'CONSOLE API']);
    expect(headers.get('Cache-Control')).toBe('no-store');
    const cookie = headers.get('Set-Cookie') ?? '';
    expect(cookie).toMatch(/^console=.*; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(env.ROOT_API_KEY);
  });

  test('ties the cookie to this very host over https', async () => {
    const { headers } = await asPage('POST', path, {}, { key: env.ROOT_API_KEY });
    expect(headers.get('Set-Cookie')).toMatch(/^console=/);
    const secure = await overHTTPS('POST', path, {}, { key: env.ROOT_API_KEY });
    expect(secure.headers.get('Set-Cookie')).toMatch(
      /^__Host-console=.*; Secure; SameSite=Strict$/,
    );
  });

  test.each([
    [401, { key: 'wrong' }, {}],
    [400, { key: 1 }, {}],
    [400, '{', {}],
    [403, { key: 'test-root-key' }, { 'Sec-Fetch-Site': 'cross-site' }],
    [403, { key: 'test-root-key' }, { 'Sec-Fetch-Site': 'none' }],
    [415, { key: 'test-root-key' }, { 'Content-Type': 'text/plain' }],
  ])('is %i for %j with %j', async (status, body, headers) => {
    const answer = await asPage('POST', path, headers, body);
    expect([answer.status, answer.headers.get('Set-Cookie')]).toEqual([status, null]);
  });

  test('names a missing sealing key', async () => {
    const answer = await send('POST', path, {
      key: null,
      headers: own,
      body: { key: env.ROOT_API_KEY },
      bindings: { SEALING_KEY: '' },
    });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ type: '/problems/sealing' });
  });

  test('is refused to a key that may read nothing', async () => {
    const others = [{ type: 'SERVER' }, { type: 'CLIENT' }, { scopes: ['write'] }];
    for (const other of others) {
      const { key } = await ok('POST', 'keys', { name: unique('Key'), ...other });
      const { status, headers, body } = await asPage('POST', path, {}, { key });
      expect([status, body.type, headers.get('Set-Cookie')]).toEqual([
        403,
        '/problems/forbidden',
        null,
      ]);
    }
  });

  test('has three methods', async () => {
    const { status, headers } = await asPage('PUT', path, {}, {});
    expect([status, headers.get('Allow')]).toEqual([405, 'GET, HEAD, POST, DELETE']);
  });
});

describe('a session', () => {
  test('is that of its key, and can do what the key can', async () => {
    const { key, id } = await makeKey({ scopes: ['read'] });
    const cookie = await signIn(key);
    const { body } = await asPage('GET', path, { Cookie: cookie });
    expect(body.data).toMatchObject({ id, scopes: ['read'] });
    expect(await statusWith(cookie)).toBe(200);
    const change = await asPage('POST', 'gates', { Cookie: cookie }, { name: unique('Gate') });
    expect(change.status).toBe(403);
  });

  test('does not exist without a cookie, or with an invalid one', async () => {
    expect((await asPage('GET', path, {})).body.data).toBeNull();
    expect((await asPage('GET', path, { Cookie: 'console=abc' })).body.data).toBeNull();
    expect(await statusWith('console=abc')).toBe(401);
  });

  test.each(['cross-site', 'same-site', 'none', ''])(
    'does not count in a request whose Sec-Fetch-Site is %j, for reads too',
    async (site) => {
      const cookie = await signIn();
      expect(await statusWith(cookie, { 'Sec-Fetch-Site': site })).toBe(403);
      const left = await asPage('DELETE', path, { Cookie: cookie, 'Sec-Fetch-Site': site });
      expect([left.status, left.headers.get('Set-Cookie')]).toEqual([403, null]);
    },
  );

  test('that was altered by a bit is invalid', async () => {
    const cookie = await signIn();
    const at = cookie.indexOf('=') + 30;
    const other = cookie[at] === 'A' ? 'B' : 'A';
    expect(await statusWith(`${cookie.slice(0, at)}${other}${cookie.slice(at + 1)}`)).toBe(401);
  });

  test('ends after twelve hours', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const cookie = await signIn();
    vi.setSystemTime(Date.now() + 12 * 3_600_000 - 1);
    expect(await statusWith(cookie)).toBe(200);
    vi.setSystemTime(Date.now() + 1);
    expect(await statusWith(cookie)).toBe(401);
  });

  test.each(['deactivate', 'rotate'])('ends with its key: %s', async (action) => {
    const { key, id } = await makeKey({ scopes: ['read'] });
    const cookie = await signIn(key);
    expect(await statusWith(cookie)).toBe(200);
    await ok('PATCH', `keys/${id}/${action}`);
    forgetKeys();
    expect(await statusWith(cookie)).toBe(401);
  });

  test('is over when one signs out', async () => {
    const cookie = await signIn();
    const { headers } = await asPage('DELETE', path, { Cookie: cookie });
    expect(headers.get('Set-Cookie')).toMatch(/^console=; Max-Age=0; Path=\//);
  });

  test('counts over https by its cookie of there alone, until one signs out', async () => {
    const cookie = cookieOf(await overHTTPS('POST', path, {}, { key: env.ROOT_API_KEY }));
    const statusOf = async (Cookie: string) =>
      (await overHTTPS('GET', '/console/v1/gates', { Cookie })).status;
    expect(await statusOf(cookie)).toBe(200);
    expect(await statusOf(cookie.replace('__Host-', ''))).toBe(401);
    const { headers } = await overHTTPS('DELETE', path, { Cookie: cookie });
    expect(headers.get('Set-Cookie')).toMatch(/^__Host-console=; Max-Age=0; Path=\/; Secure/);
  });

  test('has idempotency keys of its own, which another session does not open', async () => {
    const make = async (cookie: string) =>
      asPage('POST', 'keys', { Cookie: cookie, 'Idempotency-Key': 'one' }, body);
    const body = { name: unique('Made once'), scopes: ['read'] };
    const cookie = await signIn();
    const [first, again] = [await make(cookie), await make(cookie)];
    expect([first.status, again.body.data.key]).toEqual([201, first.body.data.key]);
    const { key } = await makeKey({ scopes: ['admin', 'read'] });
    expect((await make(await signIn(key))).body.data.key).not.toBe(first.body.data.key);
  });
});
