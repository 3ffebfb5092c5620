import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { call, costOf, invalidPropertiesOf, ok } from '../support/client.ts';
import { dump } from '../support/database.ts';
import { makeGate, makeKey, unique } from '../support/factories.ts';
import { withBatches } from '../support/faults.ts';

const statusWith = async (key: string, method = 'GET', path = 'gates', body?: object) =>
  (await call(method, path, { key, body })).status;

afterEach(() => {
  vi.useRealTimers();
});

/** Lets a time pass at once. */
const wait = (milliseconds: number) =>
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });

describe('what is recorded of the applications of a key', () => {
  const all = { events: true, exposures: true };

  test('is all at first, and is switched by each of its properties', async () => {
    const { id, reports } = await makeKey({ type: 'CLIENT', scopes: undefined });
    expect(reports).toEqual(all);
    const path = `keys/${id}`;
    expect((await ok('PATCH', path, { reports: { events: false } })).reports).toEqual({
      ...all,
      events: false,
    });
    await ok('PATCH', path, { reports: { exposures: false } });
    const off = { events: false, exposures: false };
    expect((await ok('GET', path)).reports).toEqual(off);
    await ok('PATCH', path, { name: 'Another name' });
    expect((await ok('GET', path)).reports).toEqual(off);
    expect((await ok('PUT', `${path}/versions/1/restore`)).reports).toEqual(all);
    expect((await makeKey({ type: 'SERVER', scopes: undefined, reports: off })).reports).toEqual(
      off,
    );
  });

  test.each([
    ['reports', { type: 'CONSOLE', scopes: ['read'], reports: { events: false } }],
    ['reports.events', { type: 'CLIENT', reports: { events: 'no' } }],
    ['reports', { type: 'CLIENT', reports: null }],
  ])('is 400 naming %s for %j', async (property, body) => {
    const given = { name: unique('Key'), ...body };
    expect(await invalidPropertiesOf('POST', 'keys', given)).toEqual([property]);
  });
});

describe('an API key', () => {
  test('that is unknown is looked up each time', async () => {
    for (let count = 0; count < 2; count++) {
      const answer = await call('GET', 'gates', { key: 'unknown' });
      expect([answer.status, costOf(answer).trips]).toEqual([401, 1]);
    }
  });

  test('is shown once, and stored as its hash alone', async () => {
    const { key, id } = await makeKey({ ownerEmail: 'ops@shop.example' });
    expect(key).toMatch(/^console-[0-9a-f]{64}$/);
    expect(await ok('GET', `keys/${id}`)).not.toHaveProperty('key');
    expect(JSON.stringify(await dump())).not.toContain(key);
    expect(JSON.stringify(await ok('GET', `keys/${id}/versions/1`))).toContain('<KEY>');
  });

  test('has just the scopes it lists', async () => {
    const body = () => ({ name: unique('By a key') });
    const scoped = async (...scopes: string[]) => (await makeKey({ scopes })).key;
    const [read, write, admin] = [
      await scoped('read'),
      await scoped('write'),
      await scoped('admin'),
    ];
    const of = async (key: string) => [
      await statusWith(key),
      await statusWith(key, 'POST', 'gates', body()),
      await statusWith(key, 'GET', 'keys'),
      await statusWith(key, 'GET', 'wh_connections'),
    ];
    expect(await of(read)).toEqual([200, 403, 403, 403]);
    expect(await of(write)).toEqual([403, 201, 403, 403]);
    expect(await of(admin)).toEqual([403, 403, 200, 200]);
    expect(await of(await scoped('read', 'write', 'admin'))).toEqual([200, 201, 200, 200]);
  });

  test('is named as the creator and modifier of what it changes', async () => {
    const { key, id, name } = await makeKey({ scopes: ['write'], ownerEmail: 'ops@shop.example' });
    const { data } = await call('POST', 'gates', { key, body: { name: unique('Owned') } });
    expect(data).toMatchObject({
      creatorID: id,
      creatorName: name,
      creatorEmail: 'ops@shop.example',
      lastModifierID: id,
      owner: { ownerID: id, ownerName: name, ownerType: 'SDK_KEY' },
    });
    const gate = await makeGate();
    const changed = await call('PUT', `gates/${gate.id}/disable`, { key });
    expect(changed.data).toMatchObject({ creatorName: 'CONSOLE API', lastModifierName: name });
  });

  test('needs a name and known scopes', async () => {
    expect(await invalidPropertiesOf('POST', 'keys', {})).toEqual(['name']);
    expect(await invalidPropertiesOf('POST', 'keys', { name: 'Key' })).toEqual(['scopes']);
    expect(await invalidPropertiesOf('POST', 'keys', { name: 'Key', scopes: [] })).toEqual([
      'scopes',
    ]);
    expect(await invalidPropertiesOf('POST', 'keys', { name: 'Key', scopes: ['root'] })).toEqual([
      'scopes.0',
    ]);
  });
});

describe('an API key that ends', () => {
  test('is trusted for 30 seconds by an isolate that does not hear of its change', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { key, id } = await makeKey();
    const read = async () => {
      const answer = await call('GET', 'gates', { key });
      return [answer.status, costOf(answer).trips];
    };
    expect(await read()).toEqual([200, 2]);
    await env.DB.prepare('update keys set isActive = 0 where id = ?').bind(id).run();
    const start = Date.now();
    vi.setSystemTime(start + 29_999);
    expect(await read()).toEqual([200, 1]);
    vi.setSystemTime(start + 30_000);
    expect(await read()).toEqual([401, 1]);
    await env.DB.prepare('update keys set isActive = 1 where id = ?').bind(id).run();
    vi.setSystemTime(start + 60_000);
    expect(await read()).toEqual([200, 2]);
    vi.setSystemTime(start); // the clock is set back
    expect(await read()).toEqual([200, 2]);
  });

  test('stops working at once in the isolate that deactivates it, even if cached', async () => {
    const { key, id } = await makeKey();
    const { promise: deactivated, resolve } = Promise.withResolvers<void>();
    const DB = withBatches(env.DB, async (session, statements) => {
      const results = await session.batch<never>(statements);
      await deactivated;
      return results;
    });
    const early = call('GET', 'gates', { key, bindings: { DB } });
    await ok('PATCH', `keys/${id}/deactivate`);
    resolve();
    await early;
    expect(await statusWith(key)).toBe(401);
  });

  test('expires at a time for which there is a date', async () => {
    const body = { name: unique('Late'), scopes: ['read'] };
    const late = await call('POST', 'keys', { body: { ...body, expiresTime: 8.64e15 + 1 } });
    expect([late.status, late.body.errors[0].property]).toEqual([400, 'expiresTime']);
    expect((await makeKey({ expiresTime: 8.64e15 })).expiresTime).toBe(8.64e15);
  });

  test('stops working when it is rotated, deactivated, expired or deleted', async () => {
    const rotated = await makeKey();
    expect(await statusWith(rotated.key)).toBe(200);
    const { key } = await ok('PATCH', `keys/${rotated.id}/rotate`);
    expect([await statusWith(rotated.key), await statusWith(key)]).toEqual([401, 200]);
    await ok('PATCH', `keys/${rotated.id}/deactivate`);
    expect(await statusWith(key)).toBe(401);
    const expiring = await makeKey({ expiresTime: Date.now() + 60_000 });
    expect(await statusWith(expiring.key)).toBe(200);
    wait(60_000);
    expect(await statusWith(expiring.key)).toBe(401);
    await ok('PATCH', `keys/${expiring.id}`, { expiresTime: null });
    expect(await statusWith(expiring.key)).toBe(200);
    await ok('DELETE', `keys/${expiring.id}`);
    expect(await statusWith(expiring.key)).toBe(401);
  });

  test('stays revoked after a restore, which only brings its properties back', async () => {
    const expiresTime = Date.now() + 60_000;
    const said = { name: 'First', scopes: ['read'], ownerEmail: 'a@shop.example', expiresTime };
    const { id, key } = await makeKey(said);
    await ok('PATCH', `keys/${id}`, { name: 'Second', scopes: ['write'], expiresTime: null });
    const rotated = await ok('PATCH', `keys/${id}/rotate`);
    expect(await ok('PUT', `keys/${id}/versions/1/restore`)).toMatchObject({ ...said, version: 4 });
    expect([await statusWith(key), await statusWith(rotated.key)]).toEqual([401, 200]);
    await ok('PATCH', `keys/${id}/deactivate`);
    await ok('PATCH', `keys/${id}`, { name: 'Third' });
    expect(await ok('PUT', `keys/${id}/versions/4/restore`)).toMatchObject({
      name: 'First',
      isActive: false,
    });
    expect([await statusWith(key), await statusWith(rotated.key)]).toEqual([401, 401]);
  });

  test('stays deleted', async () => {
    const { id, key } = await makeKey();
    await ok('DELETE', `keys/${id}`);
    const { status, body } = await call('PUT', `keys/${id}/versions/1/restore`);
    expect([status, body.type]).toEqual([409, '/problems/transition']);
    expect(await statusWith(key)).toBe(401);
    expect((await call('GET', `keys/${id}`)).status).toBe(404);
  });

  test('rejects an expiry in the past, and accepts its own response as a patch', async () => {
    const past = { expiresTime: Date.now() - 1 };
    const body = { name: 'Key', scopes: ['read'], ...past };
    expect(await invalidPropertiesOf('POST', 'keys', body)).toEqual(['expiresTime']);
    const { id } = await makeKey({ expiresTime: Date.now() + 60_000 });
    expect(await invalidPropertiesOf('PATCH', `keys/${id}`, past)).toEqual(['expiresTime']);
    wait(60_000);
    const read = await ok('GET', `keys/${id}`);
    expect(await ok('PATCH', `keys/${id}`, read)).toEqual(read);
  });

  test('gets no expiry back that has passed meanwhile', async () => {
    const expiresTime = Date.now() + 60_000;
    const { id, name } = await makeKey({ expiresTime });
    await ok('PATCH', `keys/${id}`, { name: 'Second', expiresTime: null });
    const restore = (version: number, query = '') =>
      call('PUT', `keys/${id}/versions/${version}/restore${query}`);
    expect((await restore(1, '?dryRun=true')).status).toBe(200);
    wait(60_000);
    const before = await ok('GET', `keys/${id}`);
    for (const query of ['', '?dryRun=true']) {
      const { status, body } = await restore(1, query);
      expect([status, body.errors[0].property]).toEqual([400, 'expiresTime']);
    }
    expect(await ok('GET', `keys/${id}`)).toEqual(before);
    const other = await makeKey({ expiresTime: Date.now() + 60_000 });
    await ok('PATCH', `keys/${other.id}`, { name: 'Third' });
    wait(60_000);
    expect(await ok('PUT', `keys/${other.id}/versions/1/restore`)).toMatchObject({
      name: other.name,
      expiresTime: other.expiresTime,
    });
    expect(name).not.toBe(before.name);
  });
});

test('a key that has expired is brought back by nobody who lacks its scopes', async () => {
  const { id } = await makeKey({ scopes: ['read', 'write'], expiresTime: Date.now() + 60_000 });
  const { key } = await makeKey({ scopes: ['read', 'admin'] });
  wait(60_000);
  const later = { expiresTime: Date.now() + 60_000 };
  for (const body of [{ expiresTime: null }, later])
    expect((await call('PATCH', `keys/${id}`, { key, body })).status).toBe(403);
  expect((await call('PATCH', `keys/${id}/rotate`, { key })).status).toBe(403);
  expect((await call('PATCH', `keys/${id}`, { body: later })).status).toBe(200);
});

describe('an API key of an application', () => {
  test.each([
    ['SERVER', /^secret-[0-9a-f]{64}$/, ['evaluate', 'specs']],
    ['CLIENT', /^client-[0-9a-f]{64}$/, ['evaluate']],
  ])('of type %s says so, now and when it is rotated', async (type, text, scopes) => {
    const part = { environments: ['staging'], targetAppID: 'ios' };
    const made = await makeKey({ type, scopes: undefined, ...part });
    expect(made).toMatchObject({ type, scopes, ...part, key: expect.stringMatching(text) });
    const rotated = await ok('PATCH', `keys/${made.id}/rotate`);
    expect(rotated.key).toMatch(text);
    expect(rotated.key).not.toBe(made.key);
    const patched = await ok('PATCH', `keys/${made.id}`, { environments: null, targetAppID: null });
    expect(patched).toMatchObject({ environments: null, targetAppID: null });
    expect(await ok('PUT', `keys/${made.id}/versions/1/restore`)).toMatchObject(part);
  });

  test('is for all apps if none is named, also as ""', async () => {
    const made = await makeKey({ type: 'SERVER', scopes: undefined, targetAppID: '' });
    expect(made.targetAppID).toBe(null);
    const path = `keys/${made.id}`;
    expect(await ok('PATCH', path, { targetAppID: 'ios' })).toMatchObject({ targetAppID: 'ios' });
    expect(await ok('PATCH', path, { targetAppID: '' })).toMatchObject({ targetAppID: null });
  });

  test('is listed by its app, and is a use of that while it names it', async () => {
    const targetAppID = unique('app');
    const { id } = await makeKey({ type: 'SERVER', scopes: undefined, targetAppID });
    await makeKey({ type: 'SERVER', scopes: undefined, targetAppID: unique('app') });
    const path = `keys?targetAppID=${targetAppID}`;
    expect(await ok('GET', path)).toMatchObject([{ id, targetAppID }]);
    expect(await ok('GET', `target_apps/${targetAppID}`)).toMatchObject({ uses: 1 });
    await ok('PATCH', `keys/${id}`, { targetAppID: null });
    expect(await ok('GET', path)).toEqual([]);
  });

  test('has its app and environments without blanks around them, as these have their names', async () => {
    const part = { targetAppID: ' ios ', environments: [' staging '] };
    const made = await makeKey({ type: 'SERVER', scopes: undefined, ...part });
    expect(made).toMatchObject({ targetAppID: 'ios', environments: ['staging'] });
    const patched = await ok('PATCH', `keys/${made.id}`, { targetAppID: ' ' });
    expect(patched.targetAppID).toBe(null);
  });

  test('has each environment and each scope once', async () => {
    const [one, two] = ['evaluate', 'specs'];
    const part = { environments: ['a', ' a', 'b'], scopes: [one, two, one] };
    const made = await makeKey({ type: 'SERVER', ...part });
    expect(made).toMatchObject({ environments: ['a', 'b'], scopes: [one, two] });
  });

  test('manages nothing', async () => {
    const { key } = await makeKey({ type: 'SERVER', scopes: undefined });
    expect(await statusWith(key)).toBe(403);
    expect(await statusWith(key, 'POST', 'gates', { name: unique('Gate') })).toBe(403);
    expect(await statusWith(key, 'GET', 'keys')).toBe(403);
  });

  test.each([
    ['scopes', { type: 'SERVER', scopes: ['evaluate'] }],
    ['scopes', { type: 'CLIENT', scopes: ['specs'] }],
    ['scopes.0', { type: 'CLIENT', scopes: ['read', 'evaluate'] }],
    ['scopes.1', { type: 'CONSOLE', scopes: ['read', 'specs'] }],
    ['environments', { type: 'CONSOLE', scopes: ['read'], environments: ['staging'] }],
    ['environments', { type: 'SERVER', environments: [] }],
    ['environments.0', { type: 'SERVER', environments: [' '] }],
    ['targetAppID', { scopes: ['read'], targetAppID: 'ios' }],
    ['type', { type: 'ROOT', scopes: ['read'] }],
  ])('has what fits its type, or is refused for its %s: %j', async (property, body) => {
    expect(await invalidPropertiesOf('POST', 'keys', { name: unique('Key'), ...body })).toEqual([
      property,
    ]);
  });

  test('keeps its type, and scopes that fit it', async () => {
    const { id } = await makeKey({ type: 'CLIENT', scopes: ['evaluate', 'specs'] });
    expect(await invalidPropertiesOf('PATCH', `keys/${id}`, { scopes: ['read'] })).toEqual([
      'scopes.0',
    ]);
    const renamed = { type: 'SERVER', name: 'Still' };
    expect(await ok('PATCH', `keys/${id}`, renamed)).toMatchObject({ type: 'CLIENT' });
  });

  test('can only be granted by keys with the scope read or its own scope', async () => {
    const body = () => ({ name: unique('Key'), type: 'SERVER' });
    const reader = await makeKey({ scopes: ['admin', 'read'] });
    const blind = await makeKey({ scopes: ['admin', 'write'] });
    expect(await statusWith(reader.key, 'POST', 'keys', body())).toBe(201);
    expect(await statusWith(blind.key, 'POST', 'keys', body())).toBe(403);
  });
});
