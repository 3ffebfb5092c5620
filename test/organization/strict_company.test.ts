import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call, costOf, invalidPropertiesOf, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { makeExperiment, makeGate, makeKey, makeMetric, unique } from '../support/factories.ts';
import { allowMoreTrips } from '../support/responses.ts';

/** A request, and how many round trips to the database it took. */
const tried = async (method: string, path: string, body: object) => {
  const answer = await call(method, path, { body });
  return { ...answer, ...costOf(answer) };
};

const change = (method: string, path: string, body?: object) => ({
  method,
  path: `/console/v1/${path}`,
  body,
});

describe('a strict company', () => {
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

  test('refuses unregistered names before it checks for a new id', async () => {
    const path = `metrics/${encodeURIComponent((await makeMetric()).id)}`;
    const changes = [{ tags: ['nowhere'] }, { name: unique('Moved') }].map((body) =>
      change('POST', path, body),
    );
    expect(await invalidPropertiesOf('POST', 'changes', { changes })).toEqual(['changes.0.tags.0']);
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
    allowMoreTrips('a refusal that the stored state does not explain is tried once more');
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
      expect(trips, 'for the read, the batch and the reason').toBe(3);
    },
  );

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
});

describe('a company that becomes strict', () => {
  beforeAll(async () => {
    await emptyDatabase();
    await makeGate({ id: 'before', name: 'Before', tags: ['stray'] });
  });
  beforeEach(() => ok('PATCH', 'company', { strict: true }));

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

  test('is so by a key with the scope admin alone', async () => {
    const { key } = await makeKey({ scopes: ['read', 'write'] });
    expect((await call('PATCH', 'company', { key, body: { strict: false } })).status).toBe(403);
    await ok('PATCH', 'company', { strict: false });
    await makeGate({ tags: ['anything'] });
  });
});
