import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import {
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { scopes } from '../../src/env.ts';
import worker from '../../src/index.ts';
import { isChange } from '../../src/openapi/routes.ts';
import { expectListeners } from '../../src/resources/webhooks/listening.ts';
import { sha256 } from '../../src/shared/sha256.ts';
import { base, call, each, type Options, ok } from '../support/client.ts';
import { contents, dump, emptyDatabase } from '../support/database.ts';
import {
  makeExperiment,
  makeGate,
  makeHoldout,
  makeKey,
  makeSegment,
  passing,
  prepareCall,
  unique,
} from '../support/factories.ts';
import { type Fault, failingDatabase, withBatches } from '../support/faults.ts';
import { recordingDatabase } from '../support/watch.ts';

const changes = each(isChange);
const posts = each((route) => route.method === 'POST' && isChange(route));
const histories = each(({ path }) => path.endsWith('/restore'));

const withQuery = (path: string, query: string) =>
  `${path}${path.includes('?') ? '&' : '?'}${query}`;

describe('a dry run', () => {
  beforeAll(emptyDatabase);

  test.each(changes)(
    '%s returns the response of the real change and stores nothing',
    async (_, route) => {
      const { path, body } = await prepareCall(route);
      const before = await contents();
      const dry = await call(route.method, withQuery(path, 'dryRun=true'), { body });
      expect(dry.status, JSON.stringify(dry.body)).toBe(route.operation.status ?? 200);
      expect(dry.headers.get('Location')).toBeNull();
      // One operation returns the bare source, without a message.
      if (dry.body.message) expect(dry.body.message).toContain(' would be ');
      expect(await contents()).toEqual(before);
      const real = await call(route.method, path, { body });
      expect(Object.keys(real.body)).toEqual(Object.keys(dry.body));
    },
  );

  test('a dry run of many changes returns no Location, unlike the real request', async () => {
    const change = { method: 'POST', path: `${base}/gates`, body: { name: 'One of many' } };
    const placesOf = async (query: string) => {
      const results = await ok('POST', `changes${query}`, { changes: [change] });
      return results.map(({ headers }: { headers: object }) => headers);
    };
    expect(await placesOf('?dryRun=true')).toEqual([{ etag: '"1"' }]);
    const location = `${base}/gates/one_of_many`;
    expect(await placesOf('')).toEqual([{ etag: '"1"', location }]);
  });

  test('a dry run checks references and status transitions', async () => {
    const { id } = await makeGate();
    await makeExperiment({ targetingGateID: id });
    const refused = async (method: string, path: string, body?: object) =>
      (await call(method, `${path}?dryRun=true`, { body })).status;
    expect(await refused('DELETE', `gates/${id}`)).toBe(409);
    expect(await refused('PUT', `gates/${id}/archive`)).toBe(409);
    expect(await refused('POST', 'gates', { name: 'Dry', rules: [passing('nothing')] })).toBe(400);
    expect(await refused('POST', 'gates', { name: 'Dry', id })).toBe(409);
    const wrong = await call('DELETE', `gates/${id}?dryRun=maybe`);
    expect([wrong.status, wrong.body.errors[0].property]).toEqual([400, 'dryRun']);
  });
});

describe('a repeated POST with an Idempotency-Key', () => {
  beforeAll(emptyDatabase);

  test.each(posts)('%s is stored once and returns the first response again', async (_, route) => {
    const { path, body } = await prepareCall(route);
    const headers = { 'Idempotency-Key': unique('key').replace(' ', '-') };
    const first = await call('POST', path, { body, headers });
    const stored = await contents();
    const again = await call('POST', path, { body, headers });
    expect(again.status).toBe(first.status);
    expect(again.body).toEqual(first.body);
    for (const name of ['Content-Type', 'Location', 'ETag'])
      expect(again.headers.get(name)).toBe(first.headers.get(name));
    expect(first.headers.get('Idempotency-Replayed')).toBeNull();
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(await contents()).toEqual(stored);
  });

  const once = (body: object, key: string, options: Options = {}) =>
    call('POST', 'gates', { ...options, body, headers: { 'Idempotency-Key': key } });

  test('a repeated creation of an API key stores no key in clear text', async () => {
    const body = { name: unique('Key'), scopes: ['read'] };
    const headers = { 'Idempotency-Key': 'new-key' };
    const { data } = await call('POST', 'keys', { body, headers });
    expect((await call('POST', 'keys', { body, headers })).data).toEqual(data);
    expect(JSON.stringify(await dump())).not.toContain(data.key);
  });

  test('a stored request fingerprint cannot be computed from a guessed body', async () => {
    const [change, path] = ['wh_connections', '/console/v1/changes'];
    const guess = {
      method: 'PATCH',
      path: `${base}/${change}`,
      body: { redshift: { password: 'x' } },
    };
    const body = JSON.stringify({ changes: [guess] });
    const headers = { 'Idempotency-Key': 'guessed' };
    expect((await call('POST', 'changes', { body, headers })).status).toBe(200);
    const guessed = sha256(JSON.stringify([path, '', body, [...scopes].toSorted()]));
    expect(JSON.stringify(await dump())).not.toContain(guessed);
  });

  test('a different request with a used Idempotency-Key is 422', async () => {
    await once({ name: unique('Idempotent') }, 'reused');
    const other = await once({ name: unique('Idempotent') }, 'reused');
    expect([other.status, other.body.type]).toEqual([422, '/problems/key_reused']);
    expect((await once({ name: 'x' }, 'reused')).status).toBe(422);
    const headers = { 'Idempotency-Key': 'elsewhere' };
    const body = { name: unique('Idempotent') };
    await call('POST', 'tags', { body, headers });
    expect((await call('POST', 'teams', { body, headers })).status).toBe(422);
    expect((await call('POST', 'tags?dryRun=false', { body, headers })).status).toBe(422);
    expect((await once({ name: 'Fine' }, '')).status).toBe(400);
  });

  test('an Idempotency-Key has no effect on PATCH or on a dry run', async () => {
    const headers = { 'Idempotency-Key': 'of-post' };
    const body = { name: unique('Idempotent') };
    const { data } = await call('POST', 'gates', { body, headers });
    const patched = await call('PATCH', `gates/${data.id}`, { body: { tags: ['a'] }, headers });
    expect([patched.status, patched.data.version]).toEqual([200, 2]);
    expect((await call('POST', 'gates?dryRun=true', { body, headers })).status).toBe(409);
  });

  test('a repeated POST is 403 after its API key has lost the scope', async () => {
    const { id, key } = await makeKey({ scopes: ['read', 'write'] });
    const options = { body: { name: unique('Idempotent') }, key };
    const headers = { 'Idempotency-Key': 'of-a-reader' };
    expect((await call('POST', 'gates', { ...options, headers })).status).toBe(201);
    await ok('PATCH', `keys/${id}`, { scopes: ['read'] });
    expect((await call('POST', 'gates', { ...options, headers })).status).toBe(403);
  });

  test('a repeated POST returns no secret after its API key has lost the scope admin', async () => {
    const { id, key } = await makeKey({ scopes: ['read', 'write', 'admin'] });
    const changes = [
      { method: 'POST', path: '/console/v1/tags', body: { name: unique('Once') } },
      {
        method: 'POST',
        path: '/console/v1/keys',
        body: { name: unique('Returned once'), scopes: ['read'] },
      },
    ];
    const options = { body: { changes }, key, headers: { 'Idempotency-Key': 'once' } };
    expect((await call('POST', 'changes', options)).status).toBe(200);
    expect((await call('POST', 'changes', options)).headers.get('Idempotency-Replayed')).toBe(
      'true',
    );
    await ok('PATCH', `keys/${id}`, { scopes: ['read', 'write'] });
    const again = await call('POST', 'changes', options);
    expect(again.status).toBe(422);
    expect(JSON.stringify(again.body)).not.toContain('console-');
    const event = {
      body: { events: [{ name: 'once' }] },
      key,
      headers: { 'Idempotency-Key': 'counted' },
    };
    expect((await call('POST', 'events', event)).status).toBe(201);
    await ok('PATCH', `keys/${id}`, { scopes: ['write'] });
    expect((await call('POST', 'events', event)).status).toBe(422);
  });

  test('concurrent POSTs with one Idempotency-Key are stored once', async () => {
    const body = { name: unique('Twice at once') };
    const answers = await Promise.all(Array.from({ length: 5 }, () => once(body, 'at-once')));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201));
    expect(answers.filter(({ headers }) => headers.has('Idempotency-Replayed'))).toHaveLength(4);
    expect(await ok('GET', `gates/${answers[0]?.data.id}/versions`)).toHaveLength(1);
  });

  test('an Idempotency-Key expires after 24 hours and is purged by the scheduler', async () => {
    const body = { name: unique('Old key') };
    await once(body, 'old');
    const dayAgo = Date.now() - 24 * 60 * 60 * 1000 - 1;
    await env.DB.prepare("update replies set time = ? where idempotencyKey = 'old'")
      .bind(dayAgo)
      .run();
    expect((await once(body, 'old')).status).toBe(409);
    expect((await once({ name: unique('Old key') }, 'old')).status).toBe(201);
    await env.DB.prepare("update replies set time = ? where idempotencyKey = 'old'")
      .bind(dayAgo)
      .run();
    await worker.scheduled(createScheduledController(), env);
    const { replies = [] } = await dump();
    expect(replies.length).toBeGreaterThan(0);
    expect(JSON.stringify(replies)).not.toContain('"old"');
  });
});

/** Operations that change an existing entity. */
const updates = each(
  ({ method, path }) =>
    method !== 'GET' &&
    path.includes('/:id') &&
    !/restart_as_new$|restore$|resend$|load_pulse$/.test(path),
);

describe('a change of one entity', () => {
  beforeAll(emptyDatabase);

  test.each(updates)(
    '%s is 412 with a stale If-Match and succeeds with the current one',
    async (_, route) => {
      const { path, body } = await prepareCall(route);
      const entity = path
        .split('/')
        .slice(0, route.path.split('/').indexOf(':id') + 1)
        .join('/');
      const before = await contents();
      for (const tag of ['"77"', 'W/"1"', '"77", "78"']) {
        const answer = await call(route.method, path, { body, headers: { 'If-Match': tag } });
        expect([tag, answer.status]).toEqual([tag, 412]);
      }
      expect(await contents()).toEqual(before);
      const tag = (await call('GET', entity)).headers.get('ETag') ?? '';
      const headers = { 'If-Match': `"77", ${tag}` };
      const answer = await call(route.method, path, { body, headers });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect(await contents()).not.toEqual(before);
    },
  );
});

test('a deletion with a stale If-Match is 412 even if the entity is in use or running', async () => {
  const tag = unique('used');
  const { id } = await makeExperiment({ tags: [tag] });
  await ok('PUT', `experiments/${id}/start`);
  await ok('POST', 'tags', { name: tag });
  for (const path of [`experiments/${id}`, `tags/${encodeURIComponent(tag)}`]) {
    expect((await call('DELETE', path)).status).toBe(409);
    const stale = await call('DELETE', path, { headers: { 'If-Match': '"77"' } });
    expect([path, stale.status]).toEqual([path, 412]);
    const { status, body } = await call('DELETE', path, { headers: { 'If-Match': 'nonsense' } });
    expect([path, status, body.errors?.[0].property]).toEqual([path, 400, 'If-Match']);
  }
});

describe('the history of an entity', () => {
  beforeAll(emptyDatabase);

  test.each(histories)('%s is 412 with a stale If-Match and stores nothing', async (_, route) => {
    const { path } = await prepareCall(route);
    const entity = path.replace('/versions/1/restore', '');
    await call('PUT', path); // restores the entity if the preparation deleted it
    const before = await contents();
    for (const tag of ['"77"', 'W/"1"', '"77", "78"', '"nonsense"']) {
      const answer = await call('PUT', path, { headers: { 'If-Match': tag } });
      expect([tag, answer.status]).toEqual([tag, 412]);
      expect(answer.headers.get('ETag')).toMatch(/^"\d+"$/);
      expect(answer.body.current).toMatchObject({ lastModifierName: 'CONSOLE API' });
    }
    expect(await contents()).toEqual(before);
    for (const form of [(tag: string) => tag, (tag: string) => `"77", ${tag}`, () => '*']) {
      const tag = (await call('GET', entity)).headers.get('ETag') ?? '';
      const answer = await call('PUT', path, { headers: { 'If-Match': form(tag) } });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    }
  });

  /** Deletions that can be undone: all except of API keys. */
  const revivable = each(
    ({ path, method }) =>
      method === 'DELETE' && path.endsWith('/:id') && !path.endsWith('/keys/:id'),
  );

  test.each(revivable)('%s keeps all versions, and each can be restored', async (_, route) => {
    const { path } = await prepareCall(route);
    const before = await ok('GET', path);
    const { snapshot: old } = await ok('GET', `${path}/versions/1`);
    const stale = await call('DELETE', path, { headers: { 'If-Match': '"77"' } });
    expect(stale.status).toBe(412);
    await ok('DELETE', path);
    expect((await call('GET', path)).status).toBe(404);
    const versions = await ok('GET', `${path}/versions`);
    expect(versions[0].action).toBe('delete');
    const restored = await call('PUT', `${path}/versions/1/restore`);
    expect(restored.status, JSON.stringify(restored.body)).toBe(200);
    const stamps = { version: expect.any(Number), lastModifiedTime: expect.any(Number) };
    expect(await ok('GET', path)).toEqual({ ...before, ...stamps });
    const newest = versions.length + 1;
    const { snapshot } = await ok('GET', `${path}/versions/${newest}`);
    // A restored holdout draws its units again.
    const drawn = 'phaseTime' in old ? { phaseTime: snapshot.phaseTime } : {};
    expect(snapshot).toEqual({ ...old, ...stamps, ...drawn, version: newest });
  });

  test.each(each(({ method, path }) => method === 'GET' && path.endsWith('/:id')))(
    '%s is 304 if If-None-Match names the current version',
    async (_, route) => {
      const { path } = await prepareCall(route);
      const first = await call('GET', path);
      const tag = first.headers.get('ETag') ?? '';
      for (const mine of [tag, `W/${tag}`, `"77", ${tag}`, '*']) {
        const answer = await call('GET', path, { headers: { 'If-None-Match': mine } });
        expect([answer.status, answer.body]).toEqual([304, undefined]);
      }
      expect((await call('GET', path, { headers: { 'If-None-Match': '"77"' } })).status).toBe(200);
    },
  );

  test('a version lists its changes, compared with the version before or any other', async () => {
    const { id } = await makeGate({ tags: ['a'] });
    await ok('PATCH', `gates/${id}`, { tags: ['b'] });
    await ok('PATCH', `gates/${id}`, { description: 'D' });
    const change = (version: number, query = '') =>
      ok('GET', `gates/${id}/versions/${version}${query}`);
    const tags = { property: 'tags', old: ['a'], new: ['b'] };
    const description = { property: 'description', old: '', new: 'D' };
    expect((await change(2)).changes).toEqual([tags]);
    expect((await change(3)).changes).toEqual([description]);
    expect((await change(3, '?compareTo=1')).changes.toSorted()).toEqual([description, tags]);
    expect((await change(1, '?compareTo=2')).changes).toEqual([
      { ...tags, old: ['b'], new: ['a'] },
    ]);
    expect((await call('GET', `gates/${id}/versions/3?compareTo=9`)).status).toBe(404);
    expect((await call('GET', `gates/${id}/versions/9`)).status).toBe(404);
  });

  test.each(['01', '0', '1e0', '+1', '%201', '1.0', '-1', '0x1', 'one', '1'.repeat(30)])(
    'a version spelled %s is 404',
    async (version) => {
      const { id } = await makeGate();
      const message = `The gate ${id} has no version ${decodeURIComponent(version)}.`;
      for (const [method, path] of [
        ['GET', `gates/${id}/versions/${version}`],
        ['PUT', `gates/${id}/versions/${version}/restore`],
      ]) {
        const { status, body } = await call(method ?? '', path ?? '');
        expect([status, body.type, body.message]).toEqual([404, '/problems/not_found', message]);
      }
    },
  );

  test('restoring the current version adds no version', async () => {
    const { id } = await makeGate();
    expect(await ok('PUT', `gates/${id}/versions/1/restore`)).toMatchObject({ version: 1 });
    expect(await ok('GET', `gates/${id}/versions`)).toHaveLength(1);
  });

  test('restoring a version that refers to a deleted gate is 400', async () => {
    const other = await makeGate();
    const { id } = await makeGate({ rules: [passing(other.id)] });
    await ok('PATCH', `gates/${id}`, { rules: [] });
    await ok('DELETE', `gates/${other.id}`);
    const answer = await call('PUT', `gates/${id}/versions/1/restore`);
    expect([answer.status, answer.body.type]).toEqual([400, '/problems/unknown_reference']);
  });

  test('restoring a deleted entity with If-Match is 412', async () => {
    const { id } = await makeGate();
    await ok('DELETE', `gates/${id}`);
    const headers = { 'If-Match': '"2"' };
    expect((await call('PUT', `gates/${id}/versions/1/restore`, { headers })).status).toBe(412);
    expect((await call('GET', `gates/${id}`)).status).toBe(404);
  });

  test('a deleted ID that is created again continues with the next version', async () => {
    const { id, name } = await makeGate();
    await ok('DELETE', `gates/${id}`);
    expect(await ok('POST', 'gates', { id, name })).toMatchObject({ version: 3 });
  });

  test('a creation after a deletion lists new values only, and compareTo the changes since before it', async () => {
    const { id } = await makeGate({ description: 'First.', tags: ['a'] });
    await ok('DELETE', `gates/${id}`);
    await ok('POST', 'gates', { id, name: 'Again', description: 'Second.' });
    const [created, removed] = await ok('GET', `gates/${id}/versions`);
    const second = { property: 'description', new: 'Second.' };
    expect(created).toMatchObject({ action: 'create', version: 3 });
    expect(created.changes).toContainEqual(second);
    expect(created.changes).toContainEqual({ property: 'tags', new: [] });
    expect(JSON.stringify(created.changes)).not.toContain('"old"');
    expect(removed.changes).toContainEqual({ property: 'description', old: 'First.' });
    expect(JSON.stringify(removed.changes)).not.toContain('"new"');
    for (const { version, changes: listed } of [created, removed]) {
      const { changes: read } = await ok('GET', `gates/${id}/versions/${version}`);
      expect(read).toHaveLength(listed.length);
      expect(read).toEqual(expect.arrayContaining(listed));
    }
    const { changes: since } = await ok('GET', `gates/${id}/versions/3?compareTo=1`);
    expect(since).toContainEqual({ ...second, old: 'First.' });
    expect(since).toContainEqual({ property: 'tags', old: ['a'], new: [] });
    expect(since).not.toContainEqual(expect.objectContaining({ property: 'id' }));
  });

  test('a value over 4,000 bytes is listed by length and hash, and is whole in the snapshot of its version', async () => {
    const { id } = await makeSegment({ type: 'id_list' });
    const idOf = (length: number) => 'x'.repeat(length);
    const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
    const [short, long] = [[idOf(3996)], [idOf(3996), 'y']];
    for (const unit of long) await ok('PATCH', `segments/${id}/id_list`, { add: [unit] });
    expect(json(short)).toHaveLength(4000);
    const sha256 = new Uint8Array(await crypto.subtle.digest('SHA-256', json(long))).toHex();
    const hashed = { length: 4004, sha256 };
    const changeOf = ({ changes: made }: { changes: { property: string }[] }) =>
      made.find(({ property }) => property === 'ids');
    const [third, second] = await ok('GET', `segments/${id}/versions`);
    expect(changeOf(second)).toEqual({ property: 'ids', old: [], new: short });
    expect(changeOf(third)).toEqual({ property: 'ids', old: short, new: hashed });
    const [logged] = await ok('GET', `audit_logs?id=${id}`);
    expect(logged.changes).toEqual(third.changes);
    const read = await ok('GET', `segments/${id}/versions/3`);
    expect(changeOf(read)).toEqual({ property: 'ids', old: short, new: hashed });
    expect(read.snapshot.ids).toEqual(long);
    const { changes: all } = await ok('GET', `segments/${id}/versions/3?compareTo=1`);
    expect(all).toContainEqual({ property: 'ids', old: [], new: long });
  });

  test('revisions cannot be updated or deleted by SQL', async () => {
    await makeGate();
    for (const statement of ["update revisions set action = 'x'", 'delete from revisions'])
      await expect(env.DB.prepare(statement).run()).rejects.toThrow('append-only');
  });
});

describe('the audit log', () => {
  test('the audit log lists every change and filters by kind, ID, action, actor and day', async () => {
    vi.useFakeTimers({ toFake: ['Date'] }); // stays in one day
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { key, id: actor } = await ok('POST', 'keys', {
      name: 'Auditor',
      scopes: ['read', 'write'],
    });
    const { data: gate } = await call('POST', 'gates', { key, body: { name: unique('Audited') } });
    await call('PUT', `gates/${gate.id}/disable`, { key });
    const today = new Date().toISOString().slice(0, 10);
    const filters = [
      `id=${gate.id}`,
      `kind=gate&id=${gate.id}`,
      `updatedBy=${actor}`,
      `updatedBy=${actor}&startDate=${today}&endDate=${today}`,
    ];
    for (const filter of filters) {
      const rows = await ok('GET', `audit_logs?${filter}`);
      expect(rows.map(({ action }: { action: string }) => action)).toEqual(['disable', 'create']);
    }
    expect(await ok('GET', `audit_logs?id=${gate.id}&actionType=disable`)).toHaveLength(1);
    expect(await ok('GET', `audit_logs?id=${gate.id}&endDate=2020-01-01`)).toEqual([]);
    const [created] = await ok('GET', `audit_logs?kind=key&id=${actor}`);
    expect(created.changes).toContainEqual({ property: 'hash', new: '<KEY>' });
    expect(JSON.stringify(created)).not.toContain(key);
  });
});

describe('concurrent changes', () => {
  // A change is retried for 5 s, which may pass on a busy machine.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  test('50 concurrent updates of one gate are all stored, each as a version', async () => {
    const { id } = await makeGate();
    const names = Array.from({ length: 50 }, (_, index) => `id-${index}`);
    const answers = await Promise.all(
      names.map((name) =>
        call('PATCH', `gates/${id}/overrides`, { body: { passingUserIDs: [name] } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    const { passingUserIDs } = await ok('GET', `gates/${id}/overrides`);
    expect(passingUserIDs.toSorted()).toEqual(names.toSorted());
    expect(await ok('GET', `gates/${id}`)).toMatchObject({ version: 51 });
  });

  test('one of 50 concurrent updates with the same If-Match succeeds', async () => {
    const { id } = await makeGate();
    const headers = { 'If-Match': '"1"' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        call('PATCH', `gates/${id}`, { headers, body: { description: `${index}` } }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(49).fill(412)]);
    expect(await ok('GET', `gates/${id}`)).toMatchObject({ version: 2 });
  });

  test('100 concurrent updates of 10 gates end in the state of some order', async () => {
    const gates = await Promise.all(Array.from({ length: 10 }, () => makeGate()));
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const { id } = gates[index % 10];
        const fields = ['description', 'team', 'teamID', 'idType', 'name'];
        const field = fields[Math.floor(index / 20)] ?? '';
        const { status } = await call('PATCH', `gates/${id}`, { body: { [field]: `by ${index}` } });
        return { id, status };
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200));
    for (const { id } of gates) {
      const versions = (await ok('GET', `gates/${id}/versions`)).toReversed();
      const stored = answers.filter((answer) => answer.id === id);
      expect(versions.map(({ version }: { version: number }) => version)).toEqual(
        Array.from({ length: stored.length + 1 }, (_, index) => index + 1),
      );
      const gate = await ok('GET', `gates/${id}`);
      const last = new Map();
      for (const { changes: made } of versions)
        for (const { property, new: value } of made) last.set(property, value);
      for (const field of ['description', 'team', 'teamID', 'idType', 'name'])
        expect(gate[field]).toBe(last.get(field));
      expect(
        versions.slice(1).every(({ changes: made }: { changes: unknown[] }) => made.length === 1),
      ).toBe(true);
    }
  });
});

describe('POST /changes', () => {
  const make = (changesToMake: object[], options: Options = {}) =>
    call('POST', 'changes', { ...options, body: { changes: changesToMake } });
  const at = (path: string) => `/console/v1/${path}`;

  test('many changes are stored together, and each reads those before it', async () => {
    const [gate, experiment] = [unique('batch_gate'), unique('batch_exp')].map((name) =>
      name.replace(' ', '_'),
    );
    const answer = await make([
      { method: 'POST', path: at('gates'), body: { id: gate, name: 'Batch' } },
      { method: 'PATCH', path: at(`gates/${gate}`), body: { tags: ['b'] }, ifMatch: '"1"' },
      {
        method: 'POST',
        path: at('experiments'),
        body: { id: experiment, name: 'Batch', targetingGateID: gate },
      },
      { method: 'PUT', path: at(`experiments/${experiment}/start`) },
    ]);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.data.map(({ status }: { status: number }) => status)).toEqual([
      201, 200, 201, 200,
    ]);
    expect(answer.data[1].headers).toEqual({ etag: '"2"' });
    expect(await ok('GET', `gates/${gate}`)).toMatchObject({ version: 2, tags: ['b'] });
    expect(await ok('GET', `experiments/${experiment}`)).toMatchObject({ status: 'active' });
    const removed = await make([
      { method: 'PUT', path: at(`experiments/${experiment}/reset`) },
      { method: 'DELETE', path: at(`experiments/${experiment}`) },
      { method: 'DELETE', path: at(`gates/${gate}`) },
    ]);
    expect(removed.status, JSON.stringify(removed.body)).toBe(200);
  });

  test.each([
    ['a missing entity', { method: 'PATCH', path: at('gates/none'), body: { tags: [] } }, 404],
    [
      'a stale tag',
      { method: 'PATCH', path: at('gates/kept'), body: { tags: [] }, ifMatch: '"9"' },
      412,
    ],
    ['a wrong body', { method: 'POST', path: at('gates'), body: { name: 'x' } }, 400],
    [
      'an unknown reference',
      { method: 'POST', path: at('experiments'), body: { name: 'Lost', layerID: 'none' } },
      400,
    ],
  ])('many changes are all rejected if one has %s', async (_, wrong, status) => {
    await call('POST', 'gates', { body: { id: 'kept', name: 'Kept' } });
    const before = await contents();
    const good = () => ({ method: 'POST', path: at('gates'), body: { name: unique('Never') } });
    const answer = await make([good(), wrong, good()]);
    expect(answer.status).toBe(status);
    expect(answer.body.message).toContain('changes.1');
    for (const { property } of answer.body.errors ?? []) expect(property).toMatch(/^changes\.1\./);
    expect(await contents()).toEqual(before);
  });

  test('many changes need the scope of each change, and number 1 to 50', async () => {
    const { key } = await ok('POST', 'keys', { name: 'Writer', scopes: ['read', 'write'] });
    const keyChange = {
      method: 'POST',
      path: at('keys'),
      body: { name: 'Mine', scopes: ['admin'] },
    };
    for (const disguise of ['keys', './keys', '%6beys', 'gates/../keys', '%77h_connections']) {
      const method = disguise.endsWith('connections') ? 'PATCH' : 'POST';
      const answer = await make([{ ...keyChange, method, path: at(disguise) }], { key });
      expect([disguise, answer.status]).toEqual([disguise, 403]);
    }
    const nested = { method: 'POST', body: { changes: [keyChange] } };
    for (const disguise of ['./changes', '%63hanges'])
      expect((await make([{ ...nested, path: at(disguise) }])).status).toBe(400);
    const gate = () => ({
      method: 'POST',
      path: at('gates'),
      body: { name: unique('One of many') },
    });
    expect((await make([])).status).toBe(400);
    expect((await make(Array.from({ length: 51 }, gate))).status).toBe(400);
    expect((await make(Array.from({ length: 50 }, gate))).status).toBe(200);
    expect((await make([{ method: 'POST', path: at('changes'), body: {} }])).status).toBe(400);
  });

  test('many changes are computed again if another change is stored between their reads', async () => {
    const { id } = await makeHoldout({ isGlobal: false });
    const names = [unique('Before'), unique('After')];
    let batches = 0;
    const DB = withBatches(env.DB, async (session, statements) => {
      if (batches++ === 1) await ok('PATCH', `holdouts/${id}`, { isGlobal: true });
      return session.batch<never>(statements);
    });
    const { status, data } = await make(
      names.map((name) => ({ method: 'POST', path: at('gates'), body: { name } })),
      { bindings: { DB } },
    );
    expect(status).toBe(200);
    const made = data.map((each: { body: { data: { id: string } } }) => each.body.data.id);
    expect((await ok('GET', `holdouts/${id}`)).gateIDs).toEqual(made);
  });

  test('concurrent requests of many changes are all stored', async () => {
    const { id } = await makeGate();
    const add = (name: string) => ({
      method: 'PATCH',
      path: at(`gates/${id}/overrides`),
      body: { passingUserIDs: [name] },
    });
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => make([add(`a${index}`), add(`b${index}`)])),
    );
    const { passingUserIDs } = await ok('GET', `gates/${id}/overrides`);
    expect(passingUserIDs).toHaveLength(20);
    expect(await ok('GET', `gates/${id}`)).toMatchObject({ version: 21 });
  });
});

describe('a database that fails', () => {
  beforeAll(emptyDatabase);

  type Prepare = () => Promise<{ method: string; path: string; body?: unknown }>;

  /** Kinds of changes, each with the index of the batch that stores it. */
  const everyKind: [string, Prepare, number][] = [
    [
      'create',
      async () => ({ method: 'POST', path: 'gates', body: { name: unique('Fault'), tags: ['f'] } }),
      1,
    ],
    [
      'update',
      async () => ({
        method: 'PATCH',
        path: `gates/${(await makeGate()).id}`,
        body: { tags: ['f'] },
      }),
      1,
    ],
    [
      'archive',
      async () => ({
        method: 'PUT',
        path: `gates/${(await makeGate({ tags: ['f'] })).id}/archive`,
      }),
      1,
    ],
    [
      'delete',
      async () => ({ method: 'DELETE', path: `gates/${(await makeGate({ tags: ['f'] })).id}` }),
      1,
    ],
    [
      'restore',
      async () => {
        const { id } = await makeGate({ tags: ['f'] });
        await ok('DELETE', `gates/${id}`);
        return { method: 'PUT', path: `gates/${id}/versions/1/restore` };
      },
      1,
    ],
    [
      'record',
      async () => ({ method: 'POST', path: 'events', body: { events: [{ name: 'fault' }] } }),
      0,
    ],
    [
      'many',
      async () => ({
        method: 'POST',
        path: 'changes',
        body: {
          changes: [unique('Many'), unique('Many')].map((name) => ({
            method: 'POST',
            path: '/console/v1/gates',
            body: { name, tags: ['f'] },
          })),
        },
      }),
      1,
    ],
  ];
  const count = async () => {
    const row = await env.DB.prepare('select count(*) as n from revisions').first<{ n: number }>();
    return row?.n ?? 0;
  };

  const faults: Fault[] = ['lost before commit', 'lost after commit', 'overloaded'];

  /** Limits the statements of a batch that fail, one per run. */
  const maxStatements = 8;

  /** Makes one change whose batch fails, and checks that the response matches what was stored. */
  async function changeUnder(fault: Fault, atBatch: number, prepare: Prepare) {
    const { method, path, body } = await prepare();
    const before = await contents();
    const revisions = await count();
    let statements = 0;
    const db = failingDatabase(env.DB, (batch, size) => {
      if (batch !== atBatch) return undefined;
      statements = size;
      return fault;
    });
    const answer = await call(method, path, { body, bindings: { DB: db } });
    const made = (await count()) - revisions;
    const at = `${JSON.stringify(fault)} at batch ${atBatch}`;
    if (answer.status < 300) expect(made, at).toBe(path === 'changes' ? 2 : 1);
    else expect(await contents(), at).toEqual(before);
    if (answer.status === 503) expect(answer.headers.get('Retry-After'), at).toBe('1');
    expect([200, 201, 500, 503], at).toContain(answer.status);
    return { status: answer.status, statements };
  }

  test.each(everyKind)(
    'a change (%s) whose batch fails is stored once with its revision or not at all, matching its status',
    async (_, prepare, last) => {
      for (let atBatch = 0; atBatch < last; atBatch++)
        for (const fault of faults) await changeUnder(fault, atBatch, prepare);
      const [before, after, overloaded] = [
        await changeUnder('lost before commit', last, prepare),
        await changeUnder('lost after commit', last, prepare),
        await changeUnder('overloaded', last, prepare),
      ];
      expect([before.status < 300, after.status < 300, overloaded.status]).toEqual([
        true,
        true,
        503,
      ]);
      for (let atBatch = 0; atBatch <= last; atBatch++)
        for (let [statement, count] = [0, 1]; statement <= count; statement++) {
          const { status, statements } = await changeUnder({ statement }, atBatch, prepare);
          if (atBatch === last && statement === 1) expect(status).toBe(500);
          count = Math.min(statements, maxStatements - 1);
        }
    },
  );

  test.each([
    'D1_ERROR: Request timed out.',
    'D1_ERROR: internal error; reference = 7',
    'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
  ])('a creation is stored once if D1 fails with %j after storing it', async (message) => {
    const [before, batches] = [await count(), [1, 2]];
    const DB = withBatches(env.DB, async (session, statements) => {
      const results = await session.batch<never>(statements);
      if (batches.shift() === 2) throw new Error(message);
      return results;
    });
    const answer = await call('POST', 'gates', {
      body: { name: unique('Unlucky') },
      bindings: { DB },
    });
    expect([answer.status, (await count()) - before]).toEqual([201, 1]);
  });

  test('a change that other changes always precede is 409 before the query limit of D1', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0); // no wait between attempts
    onTestFinished(() => void vi.restoreAllMocks());
    let batches = 0;
    const DB = withBatches(env.DB, (session, statements) => {
      if (++batches % 2 > 0) return session.batch<never>(statements);
      throw new Error('D1_ERROR: UNIQUE constraint failed: revisions.id');
    });
    const answer = await call('POST', 'tags', { body: { name: 'late' }, bindings: { DB } });
    expect([answer.status, answer.body.type]).toEqual([409, '/problems/contention']);
    expect(batches).toBeLessThan(1000);
  });

  test('a change is computed again if another was stored before its retry', async () => {
    const { id } = await makeGate();
    const add = (userID: string, options: Options = {}) =>
      call('PATCH', `gates/${id}/overrides`, { body: { passingUserIDs: [userID] }, ...options });
    let batches = 0;
    const DB = withBatches(env.DB, async (session, statements) => {
      const isFirst = batches++ === 1;
      if (isFirst) await add('other');
      if (isFirst) throw new Error('D1_ERROR: Network connection lost.');
      return session.batch<never>(statements);
    });
    expect((await add('own', { bindings: { DB } })).status).toBe(200);
    expect((await ok('GET', `gates/${id}/overrides`)).passingUserIDs).toEqual(['other', 'own']);
  });

  test('a deletion is computed again if its referrer is deleted before it can be listed', async () => {
    const { id } = await makeGate();
    const { id: referrer } = await makeGate({ rules: [passing(id)] });
    const refusing = (meanwhile: () => Promise<unknown>) =>
      withBatches(env.DB, (session, statements) =>
        session.batch<never>(statements).catch(async (error) => {
          await meanwhile();
          throw error;
        }),
      );
    const removal = (DB: D1Database) => call('DELETE', `gates/${id}`, { bindings: { DB } });
    const first = refusing(async () => {});
    expect((await removal(first)).body.message).toContain(referrer);
    const gone = refusing(() => call('DELETE', `gates/${referrer}`));
    expect((await removal(gone)).status).toBe(200);
  });

  test('a creation is 503 with an unknown outcome if every database response is lost', async () => {
    const keyed: Record<string, string>[] = [{}, { 'Idempotency-Key': crypto.randomUUID() }];
    for (const headers of keyed) {
      const db = failingDatabase(env.DB, (batch) => (batch > 0 ? 'lost after commit' : undefined));
      const body = { name: unique('Unlucky') };
      const answer = await call('POST', 'gates', { body, headers, bindings: { DB: db } });
      expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '1']);
      expect(answer.body.message).toContain('whether');
    }
  });

  test('a creation is 503 if a database response is lost and the retry fails otherwise', async () => {
    const plan = (batch: number) =>
      batch === 1 ? 'lost before commit' : batch === 2 ? { statement: 1 } : undefined;
    const body = { name: unique('Unlucky') };
    const bindings = { DB: failingDatabase(env.DB, plan) };
    expect((await call('POST', 'gates', { body, bindings })).status).toBe(503);
  });

  test('a scheduled job that fails rejects the run after all other jobs have ended', async () => {
    let [batches, open] = [0, 0];
    const DB = withBatches(env.DB, async (session, statements) => {
      if (batches++ === 0) throw new Error('D1_ERROR: no such table: gates');
      open++;
      const results = await session.batch<never>(statements);
      open--;
      return results;
    });
    const work = worker.scheduled(createScheduledController(), { ...env, DB });
    await expect(work).rejects.toThrow('no such table: gates');
    expect(batches).toBeGreaterThan(3);
    expect(open).toBe(0);
  });

  test('a read is 503 without any SQL if the database is overloaded', async () => {
    const db = failingDatabase(env.DB, () => 'overloaded');
    const answer = await call('GET', 'gates', { bindings: { DB: db } });
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '1']);
    expect(JSON.stringify(answer.body)).not.toMatch(/select|D1_ERROR/i);
  });
});

describe('a bookmark', () => {
  test('a request with a D1-Bookmark starts its session there, and each response returns one', async () => {
    expectListeners(); // webhooks are looked up now, and then not for a while
    const waiting: Promise<unknown>[] = [];
    const options = { body: { name: unique('Marked') }, waiting };
    const { headers, data } = await call('POST', 'gates', options);
    await Promise.all(waiting);
    const bookmark = headers.get('D1-Bookmark') ?? '';
    expect(bookmark).not.toBe('');
    const read = await call('GET', `gates/${data.id}`, { headers: { 'D1-Bookmark': bookmark } });
    expect(read.status).toBe(200);
    const { DB, starts } = recordingDatabase(env.DB);
    const bindings = { DB };
    await call('GET', `gates/${data.id}`, { headers: { 'D1-Bookmark': bookmark }, bindings });
    await call('PUT', `gates/${data.id}/disable`, {
      headers: { 'D1-Bookmark': bookmark },
      bindings,
    });
    await call('GET', `gates/${data.id}`, { bindings });
    await call('PUT', `gates/${data.id}/enable`, { bindings });
    expect(starts).toEqual([bookmark, 'first-primary', 'first-unconstrained', 'first-primary']);
    const wrong = await call('GET', 'gates', { headers: { 'D1-Bookmark': 'nonsense' } });
    expect([wrong.status, wrong.body.errors?.[0].property]).toEqual([400, 'D1-Bookmark']);
  });
});
