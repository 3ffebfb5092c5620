import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { call, invalidPropertiesOf, ok, send, textOf } from '../support/client.ts';
import {
  everyone,
  holdoutSettings,
  makeDynamicConfig,
  makeExperiment,
  makeGate,
  makeHoldout,
  makeKey,
  makeLayer,
  makeMetric,
  makeParamStore,
  makePipeline,
  phase,
} from '../support/factories.ts';

const given = [' b ', 'a', 'b', 'a '];
const kept = ['b', 'a'];
const again = ['a', 'b', ' a'];

const inRule = (environments: string[]) => ({ rules: [{ ...everyone, id: 'r1', environments }] });
const inPhase = (environments: string[]) => ({
  phases: [phase('One', { id: 'p1', rules: [{ ...everyone, environments }] })],
});

type Rules = { environments: string[] }[];

/** The properties of different entities that contain lists of names. */
interface NamedLists {
  [list: string]: unknown;
  rules?: Rules;
  phases?: { rules: Rules }[];
  reviewSettings?: { allowedReviewers: string[] };
}

/** Each list of names: the path of an entity, the body that sets the list, and where it is read. */
const lists: [
  string,
  () => Promise<{ id: string }>,
  (names: string[]) => object,
  (entity: NamedLists) => unknown,
][] = [
  ['gates', makeGate, (tags) => ({ tags }), ({ tags }) => tags],
  ['gates', makeGate, (targetApps) => ({ targetApps }), ({ targetApps }) => targetApps],
  ['gates', makeGate, inRule, ({ rules }) => rules?.[0]?.environments],
  [
    'gates',
    makeGate,
    (allowedReviewers) => ({ reviewSettings: { allowedReviewers } }),
    ({ reviewSettings }) => reviewSettings?.allowedReviewers,
  ],
  ['dynamic_configs', makeDynamicConfig, inRule, ({ rules }) => rules?.[0]?.environments],
  [
    'experiments',
    makeExperiment,
    (primaryMetricTags) => ({ primaryMetricTags }),
    ({ primaryMetricTags }) => primaryMetricTags,
  ],
  [
    'experiments',
    makeExperiment,
    (secondaryMetricTags) => ({ secondaryMetricTags }),
    ({ secondaryMetricTags }) => secondaryMetricTags,
  ],
  [
    'experiments',
    makeExperiment,
    (enabledNonProdEnvironments) => ({ enabledNonProdEnvironments }),
    ({ enabledNonProdEnvironments }) => enabledNonProdEnvironments,
  ],
  ['layers', makeLayer, (tags) => ({ tags }), ({ tags }) => tags],
  [
    'param_stores',
    makeParamStore,
    (targetAppIDs) => ({ targetAppIDs }),
    ({ targetAppIDs }) => targetAppIDs,
  ],
  ['release_pipelines', makePipeline, inPhase, ({ phases }) => phases?.[0]?.rules[0]?.environments],
  [
    'keys',
    () => makeKey({ type: 'SERVER', scopes: ['evaluate', 'specs'] }),
    (environments) => ({ environments }),
    ({ environments }) => environments,
  ],
];

describe('a list of names', () => {
  test.each(lists)(
    'of one of the %s is stored as a trimmed set, once',
    async (path, make, body, read) => {
      const { id } = await make();
      const first = await ok('PATCH', `${path}/${id}`, body(given));
      expect(read(first)).toEqual(kept);
      for (const same of [given, kept, again]) {
        const next = await ok('PATCH', `${path}/${id}`, body(same));
        expect([next.version, read(next)]).toEqual([first.version, kept]);
      }
      const other = await ok('PATCH', `${path}/${id}`, body(['a']));
      expect([other.version, read(other)]).toEqual([first.version + 1, ['a']]);
    },
  );

  test('of unit types of a metric is stored as a trimmed set, once', async () => {
    const path = `metrics/${encodeURIComponent((await makeMetric()).id)}`;
    const first = await ok('POST', path, { unitTypes: given });
    expect(first.unitTypes).toEqual(kept);
    expect((await ok('POST', path, { unitTypes: again })).version).toBe(first.version);
  });

  test('of members of a holdout makes no version in another order', async () => {
    const ids = [(await makeGate()).id, (await makeGate()).id];
    const { id } = await makeHoldout({ ...holdoutSettings, gateIDs: ids });
    const { version } = await ok('GET', `holdouts/${id}`);
    const same = await ok('PATCH', `holdouts/${id}`, { gateIDs: ids.toReversed() });
    expect([same.version, same.gateIDs]).toEqual([version, ids]);
  });

  test('keeps the time of a rule whose environments come in another order', async () => {
    const { id } = await makeGate({ rules: [{ ...everyone, id: 'r1', environments: kept }] });
    await ok('PATCH', `gates/${id}`, { ...inRule(again), description: 'Other.' });
    const row = await env.DB.prepare('select ruleTimes from gates where id = ?').bind(id).first();
    expect(row).toEqual({ ruleTimes: '{}' });
  });

  test('within a value stays unchanged', async () => {
    const { id } = await makeDynamicConfig({ defaultValue: { tags: ['a', 'b'] } });
    const after = await ok('PATCH', `dynamic_configs/${id}`, {
      defaultValue: { tags: ['b', 'a'] },
    });
    expect([after.version, after.defaultValue]).toEqual([2, { tags: ['b', 'a'] }]);
  });

  test('takes no blank name', async () => {
    expect(
      await invalidPropertiesOf('POST', 'gates', { name: 'Blank', tags: ['a', '  '] }),
    ).toEqual(['tags.1']);
    expect(await invalidPropertiesOf('POST', 'gates', { name: 'Blank', ...inRule([' ']) })).toEqual(
      ['rules.0.environments.0'],
    );
  });
});

test.each([
  [makeGate, 'gates', ' Growth ', 'Growth'],
  [makeGate, 'gates', '  ', ''],
  [makeDynamicConfig, 'dynamic_configs', ' Growth ', 'Growth'],
  [makeExperiment, 'experiments', ' Growth ', 'Growth'],
  [makeHoldout, 'holdouts', ' Growth ', 'Growth'],
  [makeLayer, 'layers', ' Growth ', 'Growth'],
])('a team is trimmed (%#)', async (make, path, team, stored) => {
  const { id } = await make({ team });
  expect((await ok('GET', `${path}/${id}`)).team).toBe(stored);
});

describe('the texts of conditions', () => {
  const condition = (
    type: string,
    operator: string,
    targetValue: string | string[],
    more = {},
  ) => ({
    type,
    operator,
    targetValue,
    ...more,
  });
  const conditions = [
    condition('country', 'any', [' US ', 'DE']),
    condition('custom_field', 'gte', ' 5 ', { field: ' plan ' }),
    condition('unit_id', 'any', ['c-1 '], { customID: ' companyID ' }),
    condition('email', 'str_contains_any', [' @shop.test', ' ']),
    condition('email', 'str_matches', '^ a '),
  ];
  const stored = [
    condition('country', 'any', ['US', 'DE']),
    condition('custom_field', 'gte', '5', { field: 'plan' }),
    condition('unit_id', 'any', ['c-1'], { customID: 'companyID' }),
    condition('email', 'str_contains_any', ['@shop.test', ' ']),
    condition('email', 'str_matches', '^ a '),
  ];

  test('are trimmed, except patterns and texts of only blanks', async () => {
    const gate = await makeGate({ rules: [{ ...everyone, conditions }] });
    expect(gate.rules[0].conditions).toEqual(stored);
  });

  test('are trimmed in the targeting rules of an experiment', async () => {
    const rules = [{ ...everyone, environments: given, conditions }];
    const { id } = await makeExperiment({ inlineTargetingRulesJSON: JSON.stringify(rules) });
    const { inlineTargetingRulesJSON: text } = await ok('GET', `experiments/${id}`);
    expect(JSON.parse(text)).toEqual([{ ...everyone, environments: kept, conditions: stored }]);
  });

  test('leave stored rules without blanks unchanged', async () => {
    const text = `[ ${JSON.stringify({ ...everyone, conditions: stored, note: 'mine' })} ]`;
    const { id } = await makeExperiment({ inlineTargetingRulesJSON: text });
    expect((await ok('GET', `experiments/${id}`)).inlineTargetingRulesJSON).toBe(text);
  });
});

describe('the ids of overrides', () => {
  test('of a gate are trimmed, and removed with or without blanks', async () => {
    const { id } = await makeGate();
    const path = `gates/${id}/overrides`;
    const entry = {
      environment: ' live ',
      unitID: ' companyID ',
      passingIDs: [' c '],
      failingIDs: [],
    };
    const overrides = await ok('POST', path, {
      passingUserIDs: [' u-1 ', 'u-1'],
      environmentOverrides: [entry],
    });
    const trimmed = { environment: 'live', unitID: 'companyID', passingIDs: ['c'], failingIDs: [] };
    expect(overrides).toEqual({
      passingUserIDs: ['u-1'],
      failingUserIDs: [],
      environmentOverrides: [trimmed],
    });
    const removed = await ok('DELETE', path, {
      passingUserIDs: [' u-1 '],
      environmentOverrides: [entry],
    });
    expect(removed).toEqual({ passingUserIDs: [], failingUserIDs: [], environmentOverrides: [] });
  });

  test('are refused when trimming puts one on two sides', async () => {
    const [{ id }, layer] = [await makeGate(), await makeLayer()];
    const sides = { passingUserIDs: ['u-1'], failingUserIDs: [' u-1'] };
    expect(await invalidPropertiesOf('POST', `gates/${id}/overrides`, sides)).toEqual([
      'failingUserIDs',
    ]);
    const experiment = await makeExperiment({ layerID: layer.id });
    const [one, other] = experiment.groups;
    const userIDOverrides = [
      { groupID: one.id, ids: ['u-1'] },
      { groupID: other.id, ids: ['u-1 '] },
    ];
    expect(
      await invalidPropertiesOf('POST', `experiments/${experiment.id}/overrides`, {
        userIDOverrides,
      }),
    ).toEqual(['userIDOverrides.1']);
    const idOverrides = [
      { groupName: one.name, ids: ['u-1'], experimentName: experiment.id },
      { groupName: other.name, ids: ['u-1 '], experimentName: experiment.id },
    ];
    expect(
      await invalidPropertiesOf('POST', `layers/${layer.id}/overrides`, { idOverrides }),
    ).toEqual(['idOverrides.1']);
  });

  test('that are stored with blanks can be read and removed', async () => {
    const { id } = await makeGate();
    const old = { passingUserIDs: [' u-1', 'u-2'], failingUserIDs: [], environmentOverrides: [] };
    await env.DB.prepare('update gates set overrides = ? where id = ?')
      .bind(JSON.stringify(old), id)
      .run();
    const read = await send('GET', `gates/${id}/overrides`); // not compared with the schema of bodies
    expect(JSON.parse(await textOf(read)).data).toEqual(old);
    const after = await ok('DELETE', `gates/${id}/overrides`, { passingUserIDs: [' u-1'] });
    expect(after.passingUserIDs).toEqual(['u-2']);
  });

  test('make no version in another order', async () => {
    const { id } = await makeGate();
    await ok('POST', `gates/${id}/overrides`, { passingUserIDs: ['u-1', 'u-2'] });
    const { headers } = await call('POST', `gates/${id}/overrides`, {
      body: { passingUserIDs: ['u-2', 'u-1'] },
    });
    expect(headers.get('ETag')).toBe('"2"');
  });
});
