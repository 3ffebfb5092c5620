import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import worker from '../../src/index.ts';
import { call, costOf, invalidPropertiesOf, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import {
  makeAutotune,
  makeDynamicConfig,
  makeExperiment,
  makeGate,
  makeHoldout,
  makeKey,
  makeLayer,
  makeMetric,
  makeParamStore,
  makePipeline,
  makePrompt,
  makeSegment,
  makeSource,
  phase,
  unique,
} from '../support/factories.ts';

const usesOf = async (path: string) => {
  const list: { id: string; uses: number }[] = await ok('GET', path);
  return Object.fromEntries(list.map(({ id, uses }) => [id, uses]));
};

describe('names that entities use', () => {
  beforeEach(async () => {
    await emptyDatabase();
    const all = { tags: ['core'], targetApps: ['web'], idType: 'companyID', team: 'Growth' };
    await makeGate({ ...all, teamID: 'Growth' });
    await makeGate({ ...all, team: null, teamID: 'growth-id' });
    await makeDynamicConfig({ ...all, teamID: 'Growth' });
    await makeExperiment(all);
    await makeLayer(all);
    await makeHoldout(all);
    await makeSegment(all);
    await makePrompt({ ...all, teamID: 'Growth' });
    await makeAutotune({ tags: ['core'], targetApps: ['web'], idType: 'companyID' });
    await makeMetric({ tags: ['core'], team: 'Growth' });
    await makeParamStore({ tags: ['core'], targetAppIDs: ['web'], team: 'Growth' });
    await makeSource({ tags: ['core'] });
    await makePipeline({ tags: ['core'] });
    await makeKey({ ownerEmail: 'ada@shop.example' });
  });

  test('are listed with how many use them, registered or not', async () => {
    await ok('POST', 'tags', { name: 'unused', isCore: true });
    expect(await usesOf('tags')).toEqual({ core: 13, unused: 0 });
    expect(await usesOf('target_apps')).toEqual({ web: 10 });
    expect(await usesOf('unit_id_types')).toEqual({ companyID: 9 });
    expect(await usesOf('teams')).toMatchObject({ Growth: 9, 'growth-id': 1 });
    expect(await usesOf('users')).toEqual({ 'ada@shop.example': 1 });
  });

  test('are read alone, without a version as long as they are not registered', async () => {
    expect(await ok('GET', 'tags/core')).toMatchObject({ name: 'core', uses: 13, version: null });
    const created = await call('POST', 'tags', { body: { name: 'core', description: 'All.' } });
    expect(created.status).toBe(201);
    const read = await call('GET', 'tags/core');
    expect(read.data).toMatchObject({ description: 'All.', uses: 13, version: 1 });
    expect(read.headers.get('ETag')).toBe('"1.used13"');
    expect((await call('GET', 'tags/nothing')).status).toBe(404);
  });

  test('are not deleted: 409 names who uses them', async () => {
    for (const path of ['tags/core', 'target_apps/web', 'teams/Growth', 'users/ada@shop.example']) {
      const { status, body } = await call('DELETE', path);
      expect([path, status]).toEqual([path, 409]);
      expect(body.references[0]).toMatchObject({ kind: expect.any(String) });
    }
    expect((await call('DELETE', 'unit_id_types/companyID')).body.references).toHaveLength(9);
    await ok('POST', 'tags', { name: 'unused' });
    await ok('DELETE', 'tags/unused');
    expect((await call('DELETE', 'tags/unused')).status).toBe(404);
  });
});

test('a user can go whose key has made what stays', async () => {
  const email = 'leaving@shop.example';
  await ok('POST', 'users', { email });
  const { id, key } = await makeKey({ scopes: ['read', 'write'], ownerEmail: email });
  const made = await call('POST', 'gates', { key, body: { name: unique('Made') } });
  expect(made.data.owner.ownerEmail).toBe(email);
  expect((await call('DELETE', `users/${email}`)).status).toBe(409);
  await ok('DELETE', `keys/${id}`);
  const { id: metric } = await makeMetric();
  const path = `metrics/${encodeURIComponent(metric)}`;
  await ok('POST', path, { owner: { ownerID: 'lea', email } });
  expect((await call('DELETE', `users/${email}`)).status).toBe(409);
  await ok('POST', path, { owner: { ownerID: 'ann', email: 'ann@shop.example' } });
  await ok('DELETE', `users/${email}`);
});

describe('a name that is used, and none that could be registered', () => {
  const blank = { type: 'unit_id', operator: 'any', targetValue: ['u'], customID: ' spaced ' };
  const tooLong = 'must be at most 200 characters long';
  const owner = { ownerID: 'lea', email: 'no address' };
  beforeAll(async () => {
    const rules = [{ name: 'Some', passPercentage: 100, conditions: [blank] }];
    // Stored before names were checked wherever they are used.
    const { id: gate } = await makeGate();
    await env.DB.prepare('update gates set tags = ?, targetApps = ?, rules = ? where id = ?')
      .bind(...[['t'.repeat(201)], ['a\tb'], rules].map((list) => JSON.stringify(list)), gate)
      .run();
    await env.DB.prepare("insert or ignore into pending values ('gate')").run();
    for (let runs = 0; runs < 3; runs++) await worker.scheduled(createScheduledController(), env);
    const { id } = await makeMetric();
    await ok('POST', `metrics/${encodeURIComponent(id)}`, { owner });
  });

  test.each([
    ['tags', 't'.repeat(201), { isCore: true }, 'name', tooLong],
    [
      'target_apps',
      'a\tb',
      { description: 'An app.' },
      'name',
      'must not contain control characters',
    ],
    ['unit_id_types', ' spaced ', {}, 'name', 'must not begin or end with blanks'],
    ['users', owner.email, { role: 'admin' }, 'email', 'must be a valid email'],
  ])(
    'is not registered by a change of one of the %s',
    async (path, id, body, property, errorMessage) => {
      const at = `${path}/${encodeURIComponent(id)}`;
      const refused = await call('PATCH', at, { body });
      expect([refused.status, refused.body.errors]).toEqual([400, [{ property, errorMessage }]]);
      expect((await call('GET', `${at}/versions`)).status).toBe(404);
    },
  );

  test('is renamed to one that could be', async () => {
    await ok('PATCH', `tags/${'t'.repeat(201)}`, { name: 'short' });
    expect(await ok('GET', 'tags/short')).toMatchObject({ uses: 1, version: 1 });
  });
});

describe('the company', () => {
  beforeAll(emptyDatabase);

  test('has an id from the start, which stays', async () => {
    const { data, headers } = await call('GET', 'company');
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      name: 'Experimentation Console',
      strict: false,
    });
    expect(headers.get('ETag')).toBeNull();
    expect(await ok('PATCH', 'company', {})).toEqual(data);
    expect(await ok('GET', 'company')).toEqual(data);
    expect(await ok('PATCH', 'company', { name: 'The shop' })).toMatchObject({
      id: data.id,
      name: 'The shop',
      version: 1,
    });
    expect((await ok('GET', 'company')).id).toBe(data.id);
  });
});

const named = (...names: string[]) => ({ environments: names.map((name) => ({ name })) });

describe('environments', () => {
  beforeEach(emptyDatabase);

  test('are three before any are set, and then those alone', async () => {
    const { environments } = await ok('GET', 'environments');
    expect(environments.map(({ name }: { name: string }) => name)).toEqual([
      'development',
      'staging',
      'production',
    ]);
    const body = {
      environments: [{ name: 'live', id: '0.4', isProduction: true, requiresReview: true }],
    };
    const [live] = (await ok('POST', 'environments', body)).environments;
    expect(live).toEqual({ ...body.environments[0], requiresReleasePipeline: false });
    expect((await ok('GET', 'environments')).environments).toEqual([{ ...live, uses: 0 }]);
  });

  test('are set first by one of two who read that none are', async () => {
    await emptyDatabase();
    const headers = { 'If-Match': '"0"' };
    const set = async (...names: string[]) =>
      (await call('POST', 'environments', { body: named(...names), headers })).status;
    expect([await set('live', 'moon'), await set('live')]).toEqual([200, 412]);
    expect((await ok('GET', 'environments')).environments).toHaveLength(2);
  });

  test('have ids that differ', async () => {
    const environments = ['a', 'b'].map((name) => ({ name, id: 'one' }));
    expect(await invalidPropertiesOf('POST', 'environments', { environments })).toEqual([
      'environments.1.id',
    ]);
  });

  test('has no two of one id, where one of them has its name for that', async () => {
    const environments = [{ name: 'a', id: 'b' }, { name: 'b' }];
    expect(await invalidPropertiesOf('POST', 'environments', { environments })).toEqual([
      'environments.1.id',
    ]);
  });

  test('have names that differ', async () => {
    expect(await invalidPropertiesOf('POST', 'environments', named('a', 'a'))).toEqual([
      'environments.1.name',
    ]);
  });
});

describe('environments in use', () => {
  beforeEach(emptyDatabase);

  test('are listed again after unregistered names change with equal counts', async () => {
    await emptyDatabase();
    await ok('POST', 'environments', named('live'));
    const rules = (environment: string) => [
      {
        name: 'A',
        conditions: [{ type: 'public' }],
        passPercentage: 1,
        environments: [environment],
      },
    ];
    const { id } = await makeGate({ rules: rules('canary') });
    const read = await call('GET', 'environments');
    const again = { headers: { 'If-None-Match': read.headers.get('ETag') ?? '' } };
    expect((await call('GET', 'environments', again)).status).toBe(304);
    await ok('PATCH', `gates/${id}`, { rules: rules('beta') });
    expect((await call('GET', 'environments', again)).status).toBe(200);
    const ifMatch = { 'If-Match': again.headers['If-None-Match'] };
    const set = await call('POST', 'environments', { body: named('live'), headers: ifMatch });
    expect(set.status).toBe(200);
  });

  test('are listed with their number of uses, also unregistered ones', async () => {
    await emptyDatabase();
    await ok('POST', 'environments', named('live', 'spare'));
    const uses = async () => {
      const { environments } = await ok('GET', 'environments');
      return environments.map((one: { name: string; uses: number }) => [one.name, one.uses]);
    };
    const rule = { name: 'A', passPercentage: 1, conditions: [{ type: 'public' }] };
    const { id } = await makeGate({
      rules: [
        { ...rule, environments: ['live', 'canary'] },
        { ...rule, name: 'B', environments: ['live'] },
      ],
    });
    const tier = { type: 'environment_tier', operator: 'any', targetValue: ['live'] };
    const other = await makeGate({ rules: [{ ...rule, conditions: [tier] }] });
    expect(await uses()).toEqual([
      ['live', 2],
      ['spare', 0],
      ['canary', 1],
    ]);
    const read = await call('GET', 'environments');
    const again = { headers: { 'If-None-Match': read.headers.get('ETag') ?? '' } };
    expect((await call('GET', 'environments', again)).status).toBe(304);
    await ok('PATCH', `gates/${id}`, { rules: [{ ...rule, environments: ['spare'] }] });
    expect((await call('GET', 'environments', again)).status).toBe(200);
    expect(await uses()).toEqual([
      ['live', 1],
      ['spare', 1],
    ]);
    await ok('DELETE', `gates/${id}`);
    await ok('DELETE', `gates/${other.id}`);
    expect(await uses()).toEqual([
      ['live', 0],
      ['spare', 0],
    ]);
  });

  test('do not go while a rule, a phase or an override names them', async () => {
    const { version } = await ok('POST', 'environments', named('live'));
    await ok('POST', 'environments', named('live', 'canary', 'beta'));
    const rules = [{ name: 'A', conditions: [{ type: 'public' }], environments: ['canary'] }];
    await makePipeline({ phases: [phase('Canary', { rules })] });
    const tier = { type: 'environment_tier', operator: 'any', targetValue: ['beta'] };
    await makeGate({ rules: [{ name: 'B', passPercentage: 1, conditions: [tier] }] });
    for (const kept of [['live'], ['live', 'canary'], ['live', 'beta']])
      expect((await call('POST', 'environments', { body: named(...kept) })).status).toBe(409);
    const before = `environments/environments/versions/${version}/restore`;
    expect((await call('PUT', before)).status).toBe(409);
    await ok('POST', 'environments', named('canary', 'beta'));
  });

  test('do not go while something names them, also of those before any are set', async () => {
    const rules = [{ name: 'A', conditions: [{ type: 'public' }], environments: ['staging'] }];
    await makePipeline({ phases: [phase('Canary', { rules })] });
    const body = named('development', 'production');
    expect((await call('POST', 'environments', { body })).status).toBe(409);
    await ok('POST', 'environments', named('staging'));
  });

  test('are removed at once, with one read for any number', async () => {
    for (let count = 0; count < 20; count++) await makeGate();
    const spare = Array.from({ length: 97 }, (_, index) => `spare_${index}`);
    const readBy = async (...names: string[]) => {
      await ok('POST', 'environments', named('live', ...names));
      return costOf(await call('POST', 'environments', { body: named('live') })).read;
    };
    const [one, many] = [await readBy('spare'), await readBy(...spare)];
    expect(many - one).toBeLessThan(5 * spare.length);
  });

  test('do not go while another of the same changes names them', async () => {
    await ok('POST', 'environments', named('live', 'canary', 'beta'));
    const { id } = await makeGate();
    const rules = [{ name: 'A', passPercentage: 1, conditions: [], environments: ['beta'] }];
    const changes = [
      { method: 'PATCH', path: `/console/v1/gates/${id}`, body: { rules } },
      { method: 'POST', path: '/console/v1/environments', body: named('live') },
    ];
    const refused = await call('POST', 'changes', { body: { changes } });
    expect([refused.status, refused.body.index]).toEqual([409, 1]);
    await ok('PATCH', `gates/${id}`, { rules });
    const freed = [{ ...changes[0], body: { rules: [] } }, changes[1]];
    await ok('POST', 'changes', { changes: freed });
  });
});

describe('a unit type', () => {
  test.each([
    ['gates', makeGate],
    ['dynamic_configs', makeDynamicConfig],
    ['experiments', makeExperiment],
    ['layers', makeLayer],
    ['holdouts', makeHoldout],
    ['segments', makeSegment],
    ['autotunes', makeAutotune],
    ['prompts', makePrompt],
  ] as const)('of one of the %s has something to be seen', async (path, make) => {
    const { id } = await make();
    for (const idType of ['', ' ', '\u200b']) {
      const made = { name: 'Unseen', type: 'id_list', variants: [{ name: 'a' }], idType };
      expect(await invalidPropertiesOf('POST', path, made)).toContain('idType');
      expect(await invalidPropertiesOf('PATCH', `${path}/${id}`, { idType })).toEqual(['idType']);
    }
  });
});

describe('a target app', () => {
  test('is that of API keys too: it is renamed there, and not deleted while one has it', async () => {
    await ok('POST', 'target_apps', { name: 'shop' });
    const { id } = await makeKey({ type: 'CLIENT', targetAppID: 'shop', scopes: ['evaluate'] });
    expect((await call('DELETE', 'target_apps/shop')).status).toBe(409);
    await ok('PATCH', 'target_apps/shop', { name: 'store' });
    expect(await ok('GET', `keys/${id}`)).toMatchObject({ targetAppID: 'store' });
  });

  test.each(['', '\u200b'])('has something to be seen: %j has not', async (app) => {
    const faultsOf = (targetApps: unknown) =>
      invalidPropertiesOf('POST', 'gates', { name: 'Unseen', targetApps });
    expect(await faultsOf(app)).toEqual(['targetApps']);
    expect(await faultsOf(['web', app])).toEqual(['targetApps.1']);
  });
});
