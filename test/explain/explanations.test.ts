import { describe, expect, test } from 'vitest';
import { call, invalidPropertiesOf, ok } from '../support/client.ts';
import { dump } from '../support/database.ts';
import {
  everyone,
  makeAutotune,
  makeDynamicConfig,
  makeExperiment,
  makeGate,
  makeHoldout,
  makeLayer,
  makeParamStore,
  makeSegment,
  passing,
} from '../support/factories.ts';

const pro = { type: 'custom_field', field: 'plan', operator: 'any', targetValue: ['pro'] };
const explain = (kind: string, id: string, user: object = {}, more: object = {}) =>
  ok('POST', 'evaluate', { user, kind, id, ...more });

describe('the explanation of an evaluation', () => {
  test('an explanation contains each rule, the value each condition compared, and the gates it checked', async () => {
    const inner = await makeGate({
      rules: [{ name: 'Pro', passPercentage: 100, conditions: [pro] }],
    });
    const { id } = await makeGate({
      rules: [
        { name: 'Half of the pros', passPercentage: 50, conditions: passing(inner.id).conditions },
      ],
    });
    const user = { userID: 'u-1', custom: { plan: 'pro' } };
    const { value, traces } = await explain('gate', id, user);
    expect(traces).toMatchObject([
      {
        name: id,
        value,
        rules: [
          {
            name: 'Half of the pros',
            holds: true,
            passes: value,
            bucket: expect.any(Number),
            conditions: [
              {
                type: 'pass_gate',
                targetValue: inner.id,
                seen: true,
                holds: true,
                gate: { rules: [{ conditions: [{ field: 'plan', seen: 'pro', holds: true }] }] },
              },
            ],
          },
        ],
      },
    ]);
    const free = await explain('gate', id, { userID: 'u-1', custom: { plan: 'free' } });
    expect(free).toMatchObject({ value: false, traces: [{ ruleID: 'default' }] });
  });

  test('an explanation lists unknown fields of its body in the warnings', async () => {
    const { id } = await makeGate();
    const request = { user: { userID: 'u-1', colour: 'red' }, kind: 'gate', id };
    const { body } = await call('POST', 'evaluate', { body: { ...request, time: 1 } });
    expect(body.warnings).toMatchObject([{ property: 'time' }]);
    expect((await call('POST', 'evaluate', { body: request })).body).not.toHaveProperty('warnings');
  });

  test('every evaluated resource type can be explained', async () => {
    const layer = await makeLayer({
      parameters: [{ name: 'size', type: 'number', defaultValue: 1 }],
    });
    const store = await makeParamStore({
      parameters: [{ name: 'size', ref_type: 'static', param_type: 'number', value: 3 }],
    });
    const made: [string, { id: string }, unknown][] = [
      ['gate', await makeGate(), false],
      ['dynamic_config', await makeDynamicConfig({ defaultValue: { a: 1 } }), { a: 1 }],
      ['experiment', await makeExperiment(), {}],
      ['autotune', await makeAutotune(), {}],
      ['layer', layer, { size: 1 }],
      ['param_store', store, { size: 3 }],
      ['holdout', await makeHoldout({ passPercentage: 10 }), expect.any(Boolean)],
      ['segment', await makeSegment(), false],
    ];
    for (const [kind, { id }, value] of made)
      expect(await explain(kind, id, { userID: 'u-1' }), kind).toMatchObject({ kind, id, value });
  });

  test('the kind decides what is explained if a gate and a holdout share an ID', async () => {
    const { id } = await makeGate({ rules: [everyone] });
    const asked = { body: { user: {}, kind: 'holdout', id } };
    expect((await call('POST', 'evaluate', asked)).status).toBe(404);
    await makeHoldout({ id, passPercentage: 0 });
    expect(await explain('holdout', id)).toMatchObject({ value: false });
    expect(await explain('gate', id)).toMatchObject({ value: true });
  });

  test('the explanation of a param store lists a gate once that several parameters use', async () => {
    const gate = await makeGate();
    const given = { ref_type: 'gate', param_type: 'boolean', gate_name: gate.id };
    const parameter = { ...given, pass_value: true, fail_value: false };
    const parameters = ['here', 'there'].map((name) => ({ ...parameter, name }));
    const { id } = await makeParamStore({ parameters });
    const { value, traces } = await explain('param_store', id);
    expect(value).toEqual({ here: false, there: false });
    expect(traces).toMatchObject([{ name: gate.id }]);
  });

  test('an explanation is possible for any time and environment', async () => {
    const conditions = [{ type: 'time', operator: 'after', targetValue: 4_100_000_000_000 }];
    const rules = [{ name: 'Then', passPercentage: 100, conditions, environments: ['staging'] }];
    const { id } = await makeGate({ rules });
    const user = { userID: 'u', statsigEnvironment: { tier: 'staging' } };
    const then = { now: 4_100_000_000_001 };
    expect(await explain('gate', id, user, then)).toMatchObject({ value: true });
    expect(await explain('gate', id, user)).toMatchObject({ value: false });
    expect(await explain('gate', id, { userID: 'u' }, then)).toMatchObject({ value: false });
  });

  test('an override without a unit type uses the ID type of the experiment', async () => {
    const groups = ['Control', 'Test'].map((name) => ({
      name,
      id: name,
      size: 50,
      parameterValues: { group: name },
    }));
    const { id } = await makeExperiment({ idType: 'companyID', groups });
    const userIDOverrides = [
      { groupID: 'Control', ids: ['c-1'] },
      { groupID: 'Test', ids: ['c-1'], unitType: 'userID' },
    ];
    await ok('POST', `experiments/${id}/overrides`, { userIDOverrides });
    const user = { userID: 'u-1', customIDs: { companyID: 'c-1' } };
    expect((await explain('experiment', id, user)).value).toEqual({ group: 'Control' });
    expect((await explain('experiment', id, { userID: 'c-1' })).value).toEqual({ group: 'Test' });
  });

  test.each([
    ['text', 'x'.repeat(100_000), 'x'],
    ['text of pairs', `x${'😀'.repeat(50_000)}`, 'x😀'],
    ['array', Array(50_000).fill(1), '[1,1'],
  ])(
    'an explanation contains only the first 1,000 characters of a long %s',
    async (_, plan, beginning) => {
      const { id } = await makeGate({
        rules: [{ name: 'A', passPercentage: 100, conditions: Array(300).fill(pro) }],
      });
      const { traces } = await explain('gate', id, { custom: { plan } });
      const [{ seen }] = traces[0].rules[0].conditions;
      expect(seen).toMatch(/^.{1000}…$/);
      expect(seen.startsWith(beginning)).toBe(true);
      expect(seen.isWellFormed()).toBe(true);
      expect(JSON.stringify(traces).length).toBeLessThan(500_000);
      const short = await explain('gate', id, { custom: { plan: ['pro', 1] } });
      expect(short.traces[0].rules[0].conditions[0].seen).toEqual(['pro', 1]);
    },
  );
});

describe('an explanation before a start', () => {
  test('evaluates an experiment in setup as if it had started, and stores nothing', async () => {
    const targeting = await makeGate({ rules: [{ ...everyone, conditions: [pro] }] });
    const layer = await makeLayer({
      parameters: [{ name: 'size', type: 'number', defaultValue: 1 }],
    });
    const { id } = await makeExperiment({
      layerID: layer.id,
      allocation: 100,
      targetingGateID: targeting.id,
      groups: [
        { name: 'Control', size: 50, parameterValues: { size: 2 } },
        { name: 'Test', size: 50, parameterValues: { size: 3 } },
      ],
    });
    const user = { userID: 'u-1', custom: { plan: 'pro' } };
    const ruleOf = async (more: object, asked: object = user) =>
      (await explain('experiment', id, asked, more)).traces[0].ruleID;
    const before = await dump();
    expect(await ruleOf({})).toBe('prestart');
    const started = await explain('experiment', id, user, { asStarted: true });
    expect(['Control', 'Test']).toContain(started.traces[0].groupName);
    expect([2, 3]).toContain(started.value.size);
    expect(await ruleOf({ asStarted: true }, { userID: 'u-1' })).toBe('targetingGate');
    expect(await ruleOf({})).toBe('prestart');
    expect(await dump()).toEqual(before);
  });

  test('changes nothing of an experiment that has ended, or of a gate, as if it had started', async () => {
    const { id } = await makeExperiment();
    await ok('PUT', `experiments/${id}/start`);
    await ok('PUT', `experiments/${id}/abandon`, { decisionReason: 'It was a test.' });
    const gate = await makeGate();
    for (const [kind, asked] of [
      ['experiment', id],
      ['gate', gate.id],
    ] as const)
      expect(await explain(kind, asked, { userID: 'u-1' }, { asStarted: true })).toEqual(
        await explain(kind, asked, { userID: 'u-1' }),
      );
  });

  test('evaluates an autotune in setup as if it had started', async () => {
    const { id } = await makeAutotune();
    const { traces } = await explain('autotune', id, { userID: 'u-1' }, { asStarted: true });
    expect(traces[0].groupName).toBeTruthy();
  });
});

describe('an explanation that is a 404', () => {
  test('a 404 for an existing entity states why it is not evaluated', async () => {
    const gate = await makeGate();
    await ok('PUT', `gates/${gate.id}/archive`);
    const experiment = await makeExperiment({ isAnalysisOnly: true });
    const none = 'is evaluated: it does not exist, or is archived';
    const expected: [string, string, string][] = [
      ['gate', gate.id, `No gate with the ID ${gate.id} ${none}.`],
      [
        'experiment',
        experiment.id,
        `No experiment with the ID ${experiment.id} ${none}, or its groups are assigned elsewhere.`,
      ],
    ];
    for (const [kind, id, message] of expected) {
      const { body } = await call('POST', 'evaluate', { body: { user: {}, kind, id } });
      expect(body).toMatchObject({ status: 404, message });
    }
  });

  test('an explanation of an unknown entity is 404, and explanations store nothing', async () => {
    const { id } = await makeGate();
    const before = await dump();
    await explain('gate', id);
    expect(await dump()).toEqual(before);
    const config = { body: { user: {}, kind: 'dynamic_config', id } };
    expect((await call('POST', 'evaluate', config)).status).toBe(404);
    expect(await invalidPropertiesOf('POST', 'evaluate', { user: [], kind: 'prompt' })).toEqual([
      'user',
      'kind',
      'id',
    ]);
  });
});
