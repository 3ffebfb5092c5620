import { describe, expect, test } from 'vitest';
import type { Phase } from '../support/bodies.ts';
import { call, invalidPropertiesOf, ok } from '../support/client.ts';
import {
  everyone,
  makeDynamicConfig,
  makeGate,
  makePipeline,
  passing,
  phase,
} from '../support/factories.ts';
import { allowMoreTrips } from '../support/responses.ts';

const named = (id: string) => ({ ...everyone, id, name: id.toUpperCase() });
const three = ['a', 'b', 'c'].map(named);
const idsOf = ({ rules }: { rules: { id: string }[] }) => rules.map(({ id }) => id);

type Make = (overrides?: Record<string, unknown>) => Promise<{ id: string }>;

const kinds: [string, Make, string][] = [
  ['gates', makeGate, 'gateID'],
  ['dynamic_configs', makeDynamicConfig, 'dynamicConfigID'],
];

/** Returns a function that creates an entity with three rules, and returns its path. */
const threeRulesIn = (path: string, make: Make) => async () =>
  `${path}/${(await make({ rules: three })).id}`;

describe.each(kinds)('an invalid rule of one of the %s', (path, make) => {
  const withThree = threeRulesIn(path, make);

  test('has no id that is a path step', async () => {
    const rules = ['.', '..', '...'].map(named);
    const given = await invalidPropertiesOf('POST', path, { name: 'Steps', rules });
    expect(given).toEqual(['rules.0.id', 'rules.1.id']);
  });

  test('has no id that evaluation reserves for its own results', async () => {
    const own = ['default', 'disabled', 'launched', 'prestart', 'pass:all:userID:id_override'];
    const rules = [...own, 'mine'].map(named);
    const given = await invalidPropertiesOf('POST', path, { name: 'Own', rules });
    expect(given).toEqual(own.map((_, index) => `rules.${index}.id`));
    const entity = await withThree();
    expect(await invalidPropertiesOf('PATCH', entity, { rules: [named('default')] })).toEqual([
      'rules.0.id',
    ]);
    expect(await invalidPropertiesOf('POST', `${entity}/rules`, named('default'))).toEqual(['id']);
    const { message } = (await call('POST', `${entity}/rules`, { body: named('launched') })).body;
    expect(message).toBe('id must not be an id reserved for evaluation; choose another.');
  });

  test('is refused under its name in the body, alone and in POST /changes', async () => {
    const entity = await withThree();
    const wrong = { conditions: [{ type: 'passes_gate', targetValue: 'nothing' }] };
    const property = 'conditions.0.targetValue';
    expect(
      await invalidPropertiesOf('POST', `${entity}/rules`, { ...named('d'), ...wrong }),
    ).toEqual([property]);
    expect(await invalidPropertiesOf('PATCH', `${entity}/rules/b`, wrong)).toEqual([property]);
    const change = { method: 'PATCH', path: `/console/v1/${entity}/rules/b`, body: wrong };
    expect(await invalidPropertiesOf('POST', 'changes', { changes: [change] })).toEqual([
      `changes.0.${property}`,
    ]);
  });

  test('is refused with the property names of its body', async () => {
    const entity = await withThree();
    const naming = (targetValue: string) => ({ type: 'passes_gate', targetValue });
    const conditions = [naming('rules.1.conditions.1.targetValue'), naming('nothing')];
    const { message } = (await call('PATCH', `${entity}/rules/b`, { body: { conditions } })).body;
    expect(message).toMatch(
      /^conditions.0.targetValue names the gate rules.1.conditions.1.targetValue, .*; conditions.1.targetValue names the gate nothing,/,
    );
  });

  test('is 404 for an unknown id, and 400 for an invalid body', async () => {
    const entity = await withThree();
    for (const [method, body] of [['PATCH', { position: 0 }], ['DELETE']] as const) {
      const answer = await call(method, `${entity}/rules/nobody`, { body });
      expect(answer.status).toBe(404);
      expect(answer.body.message).toContain('nobody');
    }
    const change = (body: object) => invalidPropertiesOf('PATCH', `${entity}/rules/b`, body);
    expect(await change({ name: 'A' })).toEqual(['name']);
    expect(await change({ passPercentage: 0.005 })).toEqual(['passPercentage']);
    expect(await change({ conditions: [{ type: 'weather' }] })).toEqual(['conditions.0.type']);
    expect(await change({ colour: 'red' })).toEqual(['colour']);
    expect(await change({ conditions: passing('no_gate').conditions })).toEqual([
      'conditions.0.targetValue',
    ]);
    expect(await ok('GET', entity)).toMatchObject({ version: 1 });
  });
});

describe.each(kinds)('a rule of one of the %s', (path, make) => {
  const withThree = threeRulesIn(path, make);

  test('changes only in the properties of the body', async () => {
    const entity = await withThree();
    const { rules } = await ok('GET', entity);
    const given = {
      name: 'Second',
      passPercentage: 12.5,
      conditions: [{ type: 'user_id', operator: 'any', targetValue: ['u'] }],
      environments: ['staging'],
    };
    const changed = await ok('PATCH', `${entity}/rules/b`, given);
    expect(changed.rules).toEqual([rules[0], { ...rules[1], ...given }, rules[2]]);
    expect(await ok('GET', entity)).toEqual(changed);
    expect(await ok('GET', `${entity}/rules`)).toEqual(changed.rules);
    const share = await ok('PATCH', `${entity}/rules/b`, { passPercentage: 1, environments: null });
    expect(share.rules[1]).toEqual({
      ...rules[1],
      ...given,
      passPercentage: 1,
      environments: null,
    });
  });

  test('moves to its new position', async () => {
    const entity = await withThree();
    const move = async (id: string, position: number) =>
      idsOf(await ok('PATCH', `${entity}/rules/${id}`, { position }));
    expect(await move('c', 0)).toEqual(['c', 'a', 'b']);
    expect(await move('c', 1)).toEqual(['a', 'c', 'b']);
    expect(await move('a', 2)).toEqual(['c', 'b', 'a']);
    expect(await invalidPropertiesOf('PATCH', `${entity}/rules/a`, { position: 3 })).toEqual([
      'position',
    ]);
    expect(await invalidPropertiesOf('PATCH', `${entity}/rules/a`, { position: -1 })).toEqual([
      'position',
    ]);
    expect(await invalidPropertiesOf('PATCH', `${entity}/rules/a`, { position: 0.5 })).toEqual([
      'position',
    ]);
  });

  test('is added at its position, or last', async () => {
    const entity = await withThree();
    const last = await ok('POST', `${entity}/rules`, everyone);
    expect(last.rules[3]).toMatchObject({ ...everyone, id: expect.any(String) });
    expect(last.rules[3].baseID).toBe(last.rules[3].id);
    const first = await ok('POST', `${entity}/rules`, { ...named('d'), position: 0 });
    expect(idsOf(first).slice(0, 4)).toEqual(['d', 'a', 'b', 'c']);
    const add = (body: object) => invalidPropertiesOf('POST', `${entity}/rules`, body);
    expect(await add({ ...named('e'), position: 6 })).toEqual(['position']);
    expect(await add({ ...named('e'), id: 'a' })).toEqual(['id']);
    expect(await add({ ...named('e'), name: 'A' })).toEqual(['name']);
    expect(await add({})).toEqual(['name', 'passPercentage', 'conditions']);
  });

  test('is deleted', async () => {
    const entity = await withThree();
    expect(idsOf(await ok('DELETE', `${entity}/rules/b`))).toEqual(['a', 'c']);
    expect(idsOf(await ok('GET', entity))).toEqual(['a', 'c']);
  });

  test('changes under If-Match, with a history entry unless nothing changes', async () => {
    const entity = await withThree();
    const change = (tag: string, passPercentage: number) =>
      call('PATCH', `${entity}/rules/a`, {
        body: { passPercentage },
        headers: { 'If-Match': tag },
      });
    expect((await change('"7"', 5)).status).toBe(412);
    const first = await change('"1"', 5);
    expect([first.status, first.headers.get('ETag')]).toEqual([200, '"2"']);
    expect((await change('"2"', 5)).headers.get('ETag')).toBe('"2"');
    await ok('POST', `${entity}/rules`, everyone);
    await ok('DELETE', `${entity}/rules/a`);
    const versions = await ok('GET', `${entity}/versions`);
    const actions = versions.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['delete_rule', 'add_rule', 'update_rule', 'create']);
  });

  test('loses no concurrent change of another rule', async () => {
    allowMoreTrips('changes that others overtake are computed again');
    const entity = await withThree();
    await Promise.all(
      ['a', 'b', 'c'].map((id, index) =>
        ok('PATCH', `${entity}/rules/${id}`, { passPercentage: index }),
      ),
    );
    const { rules } = await ok('GET', entity);
    const shares = rules.map((rule: { passPercentage: number }) => rule.passPercentage);
    expect(shares).toEqual([0, 1, 2]);
  });
});

describe.each(kinds)('a rule of one of the %s during a release', (path, make, released) => {
  const withThree = threeRulesIn(path, make);

  const release = async (phases: Phase[]) => {
    const entity = await withThree();
    const { id } = await makePipeline({ phases });
    const body = { releasePipelineID: id, [released]: entity.split('/')[1] };
    return { entity, ...(await ok('POST', 'release_pipeline_triggers', body)) };
  };
  const warningsOf = async (entity: string, body: object) =>
    (await call('PATCH', entity, { body })).body.warnings;
  const move = (id: string, name: string, phaseID: string) =>
    ok('PUT', `release_pipeline_triggers/${id}/${name}`, { phaseID });

  test('warns that it applies until the next phase, or an abort', async () => {
    const { entity, id } = await release([phase('Canary'), phase('All')]);
    expect(await warningsOf(entity, { rules: three })).toEqual([
      { property: 'rules', message: expect.stringContaining(`the release ${id}`) },
    ]);
    const [{ message }] = await warningsOf(entity, { rules: [] });
    expect(message).toContain('phase All');
    await move(id, 'skip', 'canary');
    const [last] = await warningsOf(entity, { rules: three });
    expect(last.message).toContain('aborted');
    expect(await warningsOf(entity, { rules: three })).toBeUndefined();
    expect(await warningsOf(entity, { description: 'New.' })).toBeUndefined();
    const { body } = await call('DELETE', `${entity}/rules/a`);
    expect(body.warnings).toHaveLength(1);
    await move(id, 'rollout', 'all');
    expect(await warningsOf(entity, { rules: [] })).toBeUndefined();
  });

  test('warns that it applies until the phase that waits for review', async () => {
    const { entity } = await release([phase('Canary', { requiredReview: true })]);
    const [{ message }] = await warningsOf(entity, { rules: [] });
    expect(message).toContain('phase Canary');
  });

  test('has no warning after the release has ended by time', async () => {
    const { entity } = await release([phase('All', { timeIntervalMs: 0 })]);
    expect(await warningsOf(entity, { rules: three })).toBeUndefined();
  });
});

describe('a change of the rules of a launched gate', () => {
  test('warns that it takes effect later, for every operation', async () => {
    const { id } = await makeGate({ rules: three });
    const gate = `gates/${id}`;
    await ok('PUT', `${gate}/launch`);
    const changes: [string, string, unknown?][] = [
      ['PATCH', gate, { rules: [everyone] }],
      ['POST', `${gate}/rules`, named('d')],
      ['PATCH', `${gate}/rules/d`, { passPercentage: 3 }],
      ['DELETE', `${gate}/rules/d`],
      ['PUT', `${gate}/versions/2/restore`],
    ];
    for (const [method, path, body] of changes) {
      const answer = await call(method, path, { body });
      expect([path, answer.body.warnings]).toEqual([
        path,
        [{ property: 'rules', message: expect.stringContaining('Launched') }],
      ]);
    }
  });

  test('has no warning for unchanged rules, or if the gate leaves launch', async () => {
    const { id, rules } = await makeGate({ rules: three });
    await ok('PUT', `gates/${id}/launch`);
    const same = await call('PATCH', `gates/${id}`, { body: { rules, description: 'New.' } });
    expect(same.body).not.toHaveProperty('warnings');
    const off = await call('PATCH', `gates/${id}`, { body: { rules: [], isEnabled: false } });
    expect(off.body).not.toHaveProperty('warnings');
  });
});

describe('a full update of a config whose release is under way', () => {
  test('warns that it applies until the next phase', async () => {
    const { id: dynamicConfigID } = await makeDynamicConfig({ rules: three });
    const { id: releasePipelineID } = await makePipeline();
    await ok('POST', 'release_pipeline_triggers', { releasePipelineID, dynamicConfigID });
    const { body } = await call('POST', `dynamic_configs/${dynamicConfigID}`, {
      body: { releasePipelineID },
    });
    expect(body.warnings).toMatchObject([{ property: 'rules' }]);
  });
});

describe('the return value of a rule of a config', () => {
  const schema = JSON.stringify({ properties: { colour: { type: 'string' } } });

  test('is set, kept and removed, and satisfies the schema', async () => {
    const { id } = await makeDynamicConfig({ schema, rules: [named('a')] });
    const path = `dynamic_configs/${id}/rules`;
    const green = { returnValue: { colour: 'green' } };
    expect((await ok('PATCH', `${path}/a`, green)).rules[0]).toMatchObject(green);
    expect((await ok('PATCH', `${path}/a`, { passPercentage: 1 })).rules[0]).toMatchObject(green);
    const wrong = { returnValue: { colour: 1 } };
    expect(await invalidPropertiesOf('PATCH', `${path}/a`, wrong)).toEqual(['returnValue']);
    expect(await invalidPropertiesOf('POST', path, { ...named('b'), ...wrong })).toEqual([
      'returnValue',
    ]);
    const bare = await ok('PATCH', `${path}/a`, { returnValue: null });
    expect(bare.rules[0]).not.toHaveProperty('returnValue');
  });
});
