import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sha256Hex } from '../../src/base/sha256.ts';
import worker from '../../src/index.ts';
import { scopes } from '../../src/platform/env.ts';
import { expectListeners } from '../../src/project/webhooks/listening.ts';
import { registry } from '../../src/registry.ts';
import { base, call, each, type Options, ok } from '../support/client.ts';
import { contents, dump, emptyDatabase } from '../support/database.ts';
import {
  makeExperiment,
  makeGate,
  makeHoldout,
  makeKey,
  passing,
  prepareCall,
  unique,
} from '../support/factories.ts';
import { withBatches } from '../support/faults.ts';
import { allowMoreTrips } from '../support/responses.ts';
import { shortTitle } from '../support/trips.ts';
import { recordingDatabase } from '../support/watch.ts';

/** An operation of each generic handler, and of each way to change one entity. */
const handlers = [
  'POST /gates/:id', // replace
  'PATCH /gates/:id', // patch
  'PUT /gates/:id/archive', // change
  'PUT /gates/:id/disable', // transition
  'DELETE /gates/:id', // remove
  'PATCH /tags/:id', // patchUsed
  'DELETE /tags/:id', // removeUsed
  'POST /gates/:id/rules', // addRule
  'PATCH /gates/:id/rules/:ruleID', // changeRule
  'DELETE /gates/:id/rules/:ruleID', // deleteRule
  'PATCH /gates/:id/overrides', // editOverrides
  'DELETE /gates/:id/overrides', // removeOverrides
];

const importers = ['POST /events', 'POST /metrics/values', 'POST /exposures'];

const named = (titles: string[]) => {
  const found = each((route) => titles.includes(shortTitle(route)));
  expect(found).toHaveLength(titles.length);
  return found;
};

const isKept = (path: string) => registry.some(({ kind, path: own }) => kind && own === path);

/** The creation of an entity of each kind; some exist once, and are set. */
const creations = each(({ method, path }) => {
  const [, own = ''] = path.split(`${base}/`);
  const isSet = ['company', 'wh_connections'].includes(own);
  return isKept(own) && method === (isSet ? 'PATCH' : 'POST');
});

const restores = each(({ path }) => path.endsWith('/gates/:id/versions/:version/restore'));

const withQuery = (path: string, query: string) =>
  `${path}${path.includes('?') ? '&' : '?'}${query}`;

describe('a dry run', () => {
  beforeAll(emptyDatabase);

  test('there is a creation of each kind', () => {
    expect(creations).toHaveLength(registry.filter(({ kind }) => kind).length);
  });

  test.each([...creations, ...named([...handlers, ...importers]), ...restores])(
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

  test.each(named(['POST /gates', 'POST /gates/:id', 'POST /keys', 'POST /events']))(
    '%s is stored once and returns the first response again',
    async (_, route) => {
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
    },
  );

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
    const guessed = sha256Hex(JSON.stringify([path, '', body, [...scopes].toSorted()]));
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
    allowMoreTrips('changes that others overtake are computed again');
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

describe('a change of one entity', () => {
  beforeAll(emptyDatabase);

  test.each(named(handlers))(
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

describe('concurrent changes', () => {
  // A change is retried for 5 s, which may pass on a busy machine.
  beforeEach(() => {
    allowMoreTrips('changes that others overtake are computed again');
    vi.useFakeTimers({ toFake: ['Date'] });
  });
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
    allowMoreTrips('changes that others overtake are computed again');
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
    allowMoreTrips('changes that others overtake are computed again');
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
