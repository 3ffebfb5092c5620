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
import { checkInvariants } from '../support/invariants.ts';

const environmentUses = async () => {
  const { environments } = await ok('GET', 'environments');
  const uses = environments.map((each: { id: string; uses: number }) => [each.id, each.uses]);
  return Object.fromEntries(uses);
};

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

describe('a rename', () => {
  beforeEach(emptyDatabase);

  test('changes a tag in all that have it, in one batch, with their history', async () => {
    const gate = await makeGate({ tags: ['old', 'kept'] });
    const experiment = await makeExperiment({ tags: ['old', 'new'], primaryMetricTags: ['old'] });
    await ok('POST', 'tags', { name: 'old' });
    const { body } = await call('PATCH', 'tags/old', { body: { name: 'new', merge: true } });
    expect(body.message).toBe('Tag renamed successfully, 2 entities changed.');
    expect(await ok('GET', `gates/${gate.id}`)).toMatchObject({
      tags: ['new', 'kept'],
      version: 2,
    });
    expect(await ok('GET', `experiments/${experiment.id}`)).toMatchObject({
      tags: ['new'],
      primaryMetricTags: ['new'],
    });
    expect(await usesOf('tags')).toEqual({ new: 2, kept: 1 });
    const [change, first] = await ok('GET', `gates/${gate.id}/versions`);
    expect(change.action).toBe('rename_tag');
    expect(first.action).toBe('create');
    expect((await call('GET', 'tags/old')).body.message).toContain('was renamed');
    await checkInvariants();
  });

  test('reaches unit types in groups, conditions and overrides, and leaves values alone', async () => {
    const rule = (customID: string) => ({
      name: 'Some',
      passPercentage: 100,
      conditions: [{ type: 'unit_id', operator: 'any', targetValue: ['u'], customID }],
    });
    const gate = await makeGate({ rules: [rule('oldID')] });
    await ok('POST', `gates/${gate.id}/overrides`, {
      environmentOverrides: [
        { environment: null, unitID: 'oldID', passingIDs: ['oldID'], failingIDs: [] },
      ],
    });
    const config = await makeDynamicConfig({ idType: 'oldID', defaultValue: { idType: 'oldID' } });
    const metric = await makeMetric({ unitTypes: ['oldID', 'userID'] });
    const experiment = await makeExperiment({
      secondaryIDType: 'oldID',
      inlineTargetingRulesJSON: JSON.stringify([{ ...rule('oldID'), id: 'r1' }]),
    });
    const { body } = await call('PATCH', 'unit_id_types/oldID', { body: { name: 'newID' } });
    expect(body.message).toContain('4 entities changed');
    const after = await ok('GET', `gates/${gate.id}`);
    expect(after.rules[0].conditions[0]).toMatchObject({ customID: 'newID', targetValue: ['u'] });
    expect((await ok('GET', `gates/${gate.id}/overrides`)).environmentOverrides).toMatchObject([
      { unitID: 'newID', passingIDs: ['oldID'] },
    ]);
    expect(await ok('GET', `dynamic_configs/${config.id}`)).toMatchObject({
      idType: 'newID',
      defaultValue: { idType: 'oldID' },
    });
    const id = encodeURIComponent(metric.id);
    expect((await ok('GET', `metrics/${id}`)).unitTypes).toEqual(['newID', 'userID']);
    const { secondaryIDType, inlineTargetingRulesJSON } = await ok(
      'GET',
      `experiments/${experiment.id}`,
    );
    expect(secondaryIDType).toBe('newID');
    expect(JSON.parse(inlineTargetingRulesJSON)[0].conditions[0].customID).toBe('newID');
    expect(await ok('GET', 'unit_id_types/newID')).toMatchObject({ version: 1 });
  });

  test('leaves the values of a param store unchanged, regardless of their names', async () => {
    const { id: gateID } = await makeGate();
    const value = { team: 'Old', tags: ['a', 'a'], environment: 'x' };
    const parameter = { name: 'p', ref_type: 'gate', param_type: 'object', gate_name: gateID };
    const parameters = [{ ...parameter, pass_value: value, fail_value: value }];
    const { id } = await makeParamStore({ team: 'Old', parameters });
    await ok('PATCH', 'teams/Old', { name: 'New' });
    const after = await ok('GET', `param_stores/${id}`);
    expect([after.team, after.parameters]).toEqual(['New', parameters]);
    expect(Object.keys(await environmentUses())).not.toContain('x');
  });

  test('of a unit type merges overrides that become equal, and is refused if they contradict', async () => {
    const [gate, experiment, layer] = [await makeGate(), await makeExperiment(), await makeLayer()];
    const [one, other] = experiment.groups.map((group: { id: string }) => group.id);
    const paths = [`gates/${gate.id}`, `experiments/${experiment.id}`];
    const override = async (sides: object[], groups: string[]) => {
      const units = ['oldID', 'newID'];
      const environmentOverrides = units.map((unitID, at) => ({
        environment: null,
        unitID,
        passingIDs: [],
        failingIDs: [],
        ...sides[at],
      }));
      const userIDOverrides = units.map((unitType, at) => ({
        unitType,
        groupID: groups[at],
        ids: ['u'],
      }));
      await ok('POST', `gates/${gate.id}/overrides`, { environmentOverrides });
      await ok('POST', `experiments/${experiment.id}/overrides`, { userIDOverrides });
    };
    const rename = () =>
      call('PATCH', 'unit_id_types/oldID', { body: { name: 'newID', merge: true } });
    await override([{ passingIDs: ['u'] }, { failingIDs: ['u'] }], [one, one]);
    const { status, body } = await rename();
    expect([status, body.message]).toEqual([409, expect.stringContaining(`the gate ${gate.id}`)]);
    await override([{ passingIDs: ['u'] }, { passingIDs: ['u'] }], [one, other]);
    expect((await rename()).body.message).toContain(`the experiment ${experiment.id}`);
    await override([{ passingIDs: ['u'] }, { passingIDs: ['v'] }], [one, one]);
    expect((await rename()).status).toBe(200);
    const [sides, groups] = await Promise.all(paths.map((path) => ok('GET', `${path}/overrides`)));
    expect(sides.environmentOverrides).toMatchObject([{ unitID: 'newID', passingIDs: ['u', 'v'] }]);
    expect(groups.userIDOverrides).toMatchObject([{ unitType: 'newID', ids: ['u'] }]);
    expect(await ok('GET', `layers/${layer.id}`)).toMatchObject({ version: 1 });
    await checkInvariants();
  });

  test('finds a name that is only mentioned at a depth', async () => {
    const { id } = await makeGate();
    const override = { environment: null, unitID: 'deepID', passingIDs: ['u'], failingIDs: [] };
    await ok('POST', `gates/${id}/overrides`, { environmentOverrides: [override] });
    await ok('PATCH', 'unit_id_types/deepID', { name: 'shallowID' });
    const { environmentOverrides } = await ok('GET', `gates/${id}/overrides`);
    expect(environmentOverrides).toMatchObject([{ unitID: 'shallowID' }]);
    expect((await call('PATCH', 'unit_id_types/deepID', { body: {} })).status).toBe(404);
  });

  test('takes no name that is registered', async () => {
    await ok('POST', 'teams', { name: 'One' });
    await ok('POST', 'teams', { name: 'Two' });
    expect((await call('PATCH', 'teams/One', { body: { name: 'Two' } })).status).toBe(409);
  });

  const uses: [string, (name: string) => Promise<unknown>][] = [
    ['tags', (name) => makeGate({ tags: [name] })],
    ['teams', (team) => makePrompt({ team })],
    ['target_apps', (name) => makeGate({ targetApps: [name] })],
    ['unit_id_types', (idType) => makeLayer({ idType })],
  ];

  test.each(uses)(
    'of one of the %s onto one in use is 409 unless the body says merge',
    async (path, use) => {
      await use('one');
      await use('other');
      const refused = await call('PATCH', `${path}/one`, { body: { name: 'other' } });
      expect([refused.status, refused.body.type]).toEqual([409, '/problems/mergeable']);
      expect(refused.body.message).toContain('other already; send "merge": true');
      const still = await call('PATCH', `${path}/one`, { body: { name: 'other', merge: false } });
      expect(still.status).toBe(409);
      expect(await usesOf(path)).toMatchObject({ one: 1, other: 1 });
      const merged = await ok('PATCH', `${path}/one`, { name: 'other', merge: true });
      expect(merged).toMatchObject({ name: 'other' });
      expect(merged).not.toHaveProperty('merge');
      expect(await usesOf(path)).toEqual({ other: 2 });
      await checkInvariants();
    },
  );

  test('onto a name that only a condition uses is 409, too', async () => {
    const condition = { type: 'target_app', operator: 'any', targetValue: ['web'] };
    await makeGate({ rules: [{ name: 'A', passPercentage: 1, conditions: [condition] }] });
    await makeGate({ targetApps: ['site'] });
    const { status } = await call('PATCH', 'target_apps/site', { body: { name: 'web' } });
    expect(status).toBe(409);
  });

  test('of two registered names keeps the target, with the properties of the body', async () => {
    const gate = await makeGate({ tags: ['one', 'two'] });
    await ok('POST', 'tags', { name: 'one', description: 'First.' });
    await ok('POST', 'tags', { name: 'two', description: 'Second.', isCore: true });
    const body = { name: 'two', merge: true, description: 'Both.' };
    const stale = await call('PATCH', 'tags/one', { body, headers: { 'If-Match': '"7"' } });
    expect(stale.status).toBe(412);
    const merged = await call('PATCH', 'tags/one', { body, headers: { 'If-Match': '"1"' } });
    expect(merged.body.message).toBe('Tag renamed successfully, 1 entity changed.');
    expect(merged.data).toMatchObject({ description: 'Both.', isCore: true, version: 2 });
    expect((await ok('GET', `gates/${gate.id}`)).tags).toEqual(['two']);
    expect(await usesOf('tags')).toEqual({ two: 1 });
    expect((await call('GET', 'tags/one')).status).toBe(404);
    await checkInvariants();
  });

  test('of a name that is only used onto one that is registered makes them one', async () => {
    await makeGate({ tags: ['used'] });
    await ok('POST', 'tags', { name: 'registered', description: 'Kept.' });
    const merged = await ok('PATCH', 'tags/used', { name: 'registered', merge: true });
    expect(merged.description).toBe('Kept.');
    expect(await usesOf('tags')).toEqual({ registered: 1 });
    await checkInvariants();
  });

  test('of a user onto another is 409 unless the body says merge', async () => {
    for (const name of ['ann', 'bob']) await makeKey({ ownerEmail: `${name}@shop.example` });
    const rename = (merge?: boolean) =>
      call('PATCH', 'users/ann@shop.example', { body: { email: 'bob@shop.example', merge } });
    expect((await rename()).status).toBe(409);
    expect((await rename(true)).data.email).toBe('bob@shop.example');
    expect(await usesOf('users')).toEqual({ 'bob@shop.example': 2 });
  });

  test('is refused among many changes, with the one that makes it', async () => {
    const registering = ['fresh', 'other'].map((name) => {
      return { method: 'POST', path: '/console/v1/tags', body: { name } };
    });
    const body = { name: 'fresh' };
    const renaming = { method: 'PATCH', path: '/console/v1/tags/other', body };
    const changes = [...registering, renaming];
    const { status, body: answer } = await call('POST', 'changes', { body: { changes } });
    expect([status, answer.type, answer.index]).toEqual([409, '/problems/mergeable', 2]);
  });

  test('that merges is rolled back by a dry run', async () => {
    await makeGate({ tags: ['one', 'two'] });
    await ok('PATCH', 'tags/one?dryRun=true', { name: 'two', merge: true });
    expect(await usesOf('tags')).toEqual({ one: 1, two: 1 });
  });

  test('of a user changes the owner of the keys, at once', async () => {
    const { id, key } = await makeKey({ ownerEmail: 'ada@shop.example', scopes: ['write'] });
    const made = async () =>
      (await call('POST', 'gates', { key, body: { name: unique('Gate') } })).data.creatorEmail;
    expect(await made()).toBe('ada@shop.example');
    await ok('PATCH', 'users/ada@shop.example', { email: 'ada@new.example', role: 'admin' });
    expect((await ok('GET', `keys/${id}`)).ownerEmail).toBe('ada@new.example');
    expect(await made()).toBe('ada@new.example');
    expect(await ok('GET', 'users')).toMatchObject([
      { email: 'ada@new.example', role: 'admin', uses: 1 },
    ]);
  });

  test('of a user also renames a user whose name is the email', async () => {
    const rename = (from: string, body: object) => ok('PATCH', `users/${from}@shop.example`, body);
    await makeKey({ ownerEmail: 'kim@shop.example' });
    expect((await rename('kim', { email: 'k@shop.example' })).name).toBe('k@shop.example');
    await rename('k', { email: 'k2@shop.example', name: 'Kim' });
    expect((await rename('k2', { email: 'k3@shop.example' })).name).toBe('Kim');
  });

  test('of a name that is only used is refused for If-Match of an earlier registration', async () => {
    await makeGate({ tags: ['unregistered'] });
    const change = (tag: string) =>
      call('PATCH', 'tags/unregistered', { headers: { 'If-Match': tag }, body: { isCore: true } });
    expect((await change('"3"')).status).toBe(412);
    expect((await change('nonsense')).status).toBe(400);
    const { headers } = await call('GET', 'tags/unregistered');
    expect((await change(headers.get('ETag') ?? '')).status).toBe(200);
    expect((await change(headers.get('ETag') ?? '')).status).toBe(412);
  });

  test('finds a name in stored rules, also if it is escaped there', async () => {
    const condition = { type: 'target_app', operator: 'any', targetValue: ['Pr\u00fcfung "a"'] };
    const rules = [{ name: 'A', passPercentage: 1, conditions: [condition] }];
    const text = JSON.stringify(rules).replace('\u00fc', '\\u00fc');
    const { id } = await makeExperiment({ inlineTargetingRulesJSON: text });
    await ok('POST', 'target_apps', { name: 'Pr\u00fcfung "a"' });
    const path = `target_apps/${encodeURIComponent('Pr\u00fcfung "a"')}`;
    expect((await call('DELETE', path)).status).toBe(409);
    await ok('PATCH', path, { name: 'Exam' });
    const { inlineTargetingRulesJSON } = await ok('GET', `experiments/${id}`);
    expect(JSON.parse(inlineTargetingRulesJSON)[0].conditions[0].targetValue).toEqual(['Exam']);
  });

  test('is refused by If-Match of another version, and by a dry run stores nothing', async () => {
    const gate = await makeGate({ tags: ['old'] });
    await ok('POST', 'tags', { name: 'old' });
    const headers = { 'If-Match': '"7"' };
    expect((await call('PATCH', 'tags/old', { headers, body: { name: 'new' } })).status).toBe(412);
    await ok('PATCH', 'tags/old?dryRun=true', { name: 'new' });
    expect((await ok('GET', `gates/${gate.id}`)).tags).toEqual(['old']);
  });
});

describe('a strict company', () => {
  /** A request, and how many round trips to the database it took. */
  const tried = async (method: string, path: string, body: object) => {
    const answer = await call(method, path, { body });
    return { ...answer, ...costOf(answer) };
  };

  beforeAll(async () => {
    await emptyDatabase();
    await makeGate({ id: 'before', name: 'Before', tags: ['stray'] });
  });
  beforeEach(() => ok('PATCH', 'company', { strict: true }));

  test('refuses names that are not registered, and names the property', async () => {
    const gate = { name: 'A gate' };
    expect(await invalidPropertiesOf('POST', 'gates', { ...gate, tags: ['a', 'b'] })).toEqual([
      'tags.0',
      'tags.1',
    ]);
    expect(await invalidPropertiesOf('POST', 'gates', { ...gate, team: 'Nobody' })).toEqual([
      'team',
    ]);
    expect(await invalidPropertiesOf('POST', 'gates', { ...gate, idType: 'otherID' })).toEqual([
      'idType',
    ]);
    expect(await invalidPropertiesOf('POST', 'gates', { ...gate, targetApps: ['x'] })).toEqual([
      'targetApps.0',
    ]);
    const changes = ['one', 'two'].map((id) => ({
      method: 'POST',
      path: '/console/v1/gates',
      body: { id, name: id, tags: id === 'two' ? ['a'] : [] },
    }));
    const many = await call('POST', 'changes', { body: { changes } });
    expect([many.status, many.body.index]).toEqual([400, 1]);
    expect(many.body.errors[0].property).toBe('changes.1.tags.0');
  });

  test('names the change that brings a name, though another changes the same after it', async () => {
    const { id } = await makeGate();
    const unit = { type: 'unit_id', operator: 'any', targetValue: ['u-1'], customID: 'nowhereID' };
    const changes = [
      { name: 'One', passPercentage: 1, conditions: [unit] },
      { name: 'Two', passPercentage: 1, conditions: [{ type: 'public' }], position: 0 },
    ].map((body) => change('POST', `gates/${id}/rules`, body));
    const { body } = await call('POST', 'changes', { body: { changes } });
    const [error] = body.errors;
    expect([body.index, error.property]).toEqual([0, 'changes.0.conditions.0.customID']);
  });

  test('takes those that are, also by an earlier change of the same request', async () => {
    await makeGate();
    await ok('POST', 'tags', { name: 'known' });
    await makeGate({ tags: ['known'] });
    const changes = [
      { method: 'POST', path: '/console/v1/teams', body: { name: 'Fresh' } },
      { method: 'POST', path: '/console/v1/gates', body: { name: 'By Fresh', team: 'Fresh' } },
    ];
    await ok('POST', 'changes', { changes });
  });

  test('lists only unregistered names, not those that another change registers', async () => {
    const changes = [
      change('POST', 'teams', { name: 'Newest' }),
      change('POST', 'gates', { name: 'By Newest', team: 'Newest', tags: ['nowhere'] }),
    ];
    expect(await invalidPropertiesOf('POST', 'changes', { changes })).toEqual(['changes.1.tags.0']);
  });

  test('accepts unregistered owners of keys', async () => {
    const ownerEmail = 'grace@shop.example';
    expect(await makeKey({ ownerEmail })).toMatchObject({ ownerEmail });
  });

  test('leaves what entities named before', async () => {
    await ok('PATCH', 'gates/before', { description: 'Changed.' });
    expect(
      await invalidPropertiesOf('PATCH', 'gates/before', { tags: ['stray', 'other'] }),
    ).toEqual(['tags.1']);
  });

  test('leaves what an entity named before it had another id', async () => {
    await ok('PATCH', 'company', { strict: false });
    const { id } = await makeMetric({ tags: ['stray'] });
    await ok('PATCH', 'company', { strict: true });
    const renamed = await ok('POST', `metrics/${encodeURIComponent(id)}`, {
      name: unique('Moved'),
    });
    expect(renamed.tags).toEqual(['stray']);
  });

  test('leaves what two entities named before each took the id of the other', async () => {
    await ok('PATCH', 'company', { strict: false });
    const [one, other] = [
      await makeMetric({ tags: ['stray'] }),
      await makeMetric({ tags: ['odd'] }),
    ];
    await ok('PATCH', 'company', { strict: true });
    const named = (name: string) => `metrics/${encodeURIComponent(`${name}::${one.type}`)}`;
    const changes = [
      change('POST', named(one.name), { name: 'Between' }),
      change('POST', named(other.name), { name: one.name }),
      change('POST', named('Between'), { name: other.name }),
    ];
    await ok('POST', 'changes', { changes });
    expect((await ok('GET', named(other.name))).tags).toEqual(['stray']);
  });

  test('refuses unregistered names before it checks for a new id', async () => {
    const path = `metrics/${encodeURIComponent((await makeMetric()).id)}`;
    const changes = [{ tags: ['nowhere'] }, { name: unique('Moved') }].map((body) =>
      change('POST', path, body),
    );
    expect(await invalidPropertiesOf('POST', 'changes', { changes })).toEqual(['changes.0.tags.0']);
  });

  const change = (method: string, path: string, body?: object) => ({
    method,
    path: `/console/v1/${path}`,
    body,
  });

  test.each([
    [
      'becomes strict',
      { strict: false },
      [
        change('PATCH', 'company', { strict: true }),
        change('PATCH', 'gates/before', { tags: ['new'] }),
      ],
    ],
    [
      'removes the name',
      { strict: true },
      [
        change('DELETE', 'tags/going'),
        change('PATCH', 'gates/before', { tags: ['stray', 'going'] }),
      ],
    ],
  ])('refuses at once what a request names that %s', async (_, company, changes) => {
    await ok('POST', 'tags', { name: 'going' });
    await ok('PATCH', 'company', company);
    const { trips, ...answer } = await tried('POST', 'changes', { changes });
    expect([answer.status, answer.body.index]).toEqual([400, 1]);
    expect(answer.body.errors).toHaveLength(1);
    expect(answer.body.errors[0].property).toMatch(/^changes\.1\.tags\.\d$/);
    expect(trips).toBeLessThan(20);
    await ok('DELETE', 'tags/going');
  });

  test.each(['stale', 'console: stale', 'UNIQUE constraint failed', "it's console: in use'"])(
    'refuses the name %j for what it is',
    async (tag) => {
      const body = { name: unique('Named'), tags: [tag] };
      const { trips, ...answer } = await tried('POST', 'gates', body);
      expect([answer.status, answer.body.errors]).toEqual([
        400,
        [{ property: 'tags.0', errorMessage: expect.stringContaining(tag) }],
      ]);
      expect(trips).toBeLessThan(20);
    },
  );

  test('knows the environments once they are set', async () => {
    const rules = [
      { name: 'A', passPercentage: 1, conditions: [{ type: 'public' }], environments: ['moon'] },
    ];
    const { id } = await makeGate({ rules });
    await ok('POST', 'environments', { environments: [{ name: 'production' }, { name: 'moon' }] });
    const next = rules.map((rule) => ({ ...rule, environments: ['moon', 'mars'] }));
    expect(await invalidPropertiesOf('PATCH', `gates/${id}`, { rules: next })).toEqual([
      'rules.0.environments.1',
    ]);
  });

  test('names properties of overrides as their own body has them', async () => {
    const { id: gate } = await makeGate();
    const { id, groups } = await makeExperiment();
    const [{ id: groupID }] = groups;
    const unit = { unitID: 'moonID', passingIDs: ['u-1'], failingIDs: [] };
    expect(
      await invalidPropertiesOf('POST', `gates/${gate}/overrides`, {
        environmentOverrides: [unit],
      }),
    ).toEqual(['environmentOverrides.0.unitID']);
    expect(
      await invalidPropertiesOf('POST', `experiments/${id}/overrides`, {
        userIDOverrides: [{ groupID, ids: ['u-1'], unitType: 'moonID' }],
      }),
    ).toEqual(['userIDOverrides.0.unitType']);
  });

  test('is so by a key with the scope admin alone', async () => {
    const { key } = await makeKey({ scopes: ['read', 'write'] });
    expect((await call('PATCH', 'company', { key, body: { strict: false } })).status).toBe(403);
    await ok('PATCH', 'company', { strict: false });
    await makeGate({ tags: ['anything'] });
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

describe('environments', () => {
  beforeEach(emptyDatabase);
  const named = (...names: string[]) => ({ environments: names.map((name) => ({ name })) });

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

  test('has no two of one id, where one of them has its name for that', async () => {
    const environments = [{ name: 'a', id: 'b' }, { name: 'b' }];
    expect(await invalidPropertiesOf('POST', 'environments', { environments })).toEqual([
      'environments.1.id',
    ]);
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

  test('have names that differ', async () => {
    expect(await invalidPropertiesOf('POST', 'environments', named('a', 'a'))).toEqual([
      'environments.1.name',
    ]);
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
