import { beforeEach, describe, expect, test } from 'vitest';
import { call, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import {
  makeDynamicConfig,
  makeExperiment,
  makeGate,
  makeKey,
  makeLayer,
  makeMetric,
  makeParamStore,
  makePrompt,
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

describe('the rename of a used name', () => {
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

describe('a rename', () => {
  beforeEach(emptyDatabase);

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
});
