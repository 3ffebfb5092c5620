import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { base, call, invalidPropertiesOf, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import {
  everyone,
  holdoutSettings,
  makeExperiment,
  makeGate,
  makeLayer,
  phase,
  unique,
} from '../support/factories.ts';
import { exportProject, importProject } from '../support/transfer.ts';

/** Names that no tag, team, target app, unit ID type or environment can have. */
const refused = ['.', '..', 'a\nb', 'a\u0000b', 'a\u202eb', 'x'.repeat(201)];

/** A rule that names `name` in one of its conditions. */
const ruleOf = (condition: object, environments: string[] | null = null) => ({
  ...everyone,
  environments,
  conditions: [condition],
});

const unitIs = (customID: string) =>
  ruleOf({ type: 'unit_id', operator: 'any', targetValue: ['u'], customID });
const anyOf = (type: string, name: string) =>
  ruleOf({ type, operator: 'any', targetValue: ['fine', name] });

/** Every body that uses a name, with the property that the response names. */
const creations: [string, string, (name: string) => object][] = [
  ['gates', 'tags.0', (name) => ({ tags: [name] })],
  ['gates', 'team', (team) => ({ team })],
  ['gates', 'teamID', (teamID) => ({ teamID })],
  ['gates', 'targetApps.0', (targetApps) => ({ targetApps })],
  ['gates', 'targetApps.1', (name) => ({ targetApps: ['fine', name] })],
  ['gates', 'idType', (idType) => ({ idType })],
  [
    'gates',
    'rules.0.environments.0',
    (name) => ({ rules: [{ ...everyone, environments: [name] }] }),
  ],
  ['gates', 'rules.0.conditions.0.customID', (name) => ({ rules: [unitIs(name)] })],
  [
    'gates',
    'rules.0.conditions.0.targetValue.1',
    (name) => ({ rules: [anyOf('environment_tier', name)] }),
  ],
  [
    'gates',
    'rules.0.conditions.0.targetValue.1',
    (name) => ({ rules: [anyOf('target_app', name)] }),
  ],
  ['dynamic_configs', 'tags.0', (name) => ({ tags: [name] })],
  ['segments', 'idType', (idType) => ({ idType })],
  ['segments', 'rules.0.conditions.0.customID', (name) => ({ rules: [unitIs(name)] })],
  ['experiments', 'primaryMetricTags.0', (name) => ({ primaryMetricTags: [name] })],
  ['experiments', 'secondaryMetricTags.0', (name) => ({ secondaryMetricTags: [name] })],
  ['experiments', 'secondaryIDType', (secondaryIDType) => ({ secondaryIDType })],
  [
    'experiments',
    'enabledNonProdEnvironments.0',
    (name) => ({ enabledNonProdEnvironments: [name] }),
  ],
  [
    'experiments',
    'inlineTargetingRulesJSON',
    (name) => ({ inlineTargetingRulesJSON: JSON.stringify([unitIs(name)]) }),
  ],
  ['layers', 'idType', (idType) => ({ idType })],
  ['holdouts', 'tags.0', (name) => ({ ...holdoutSettings, tags: [name] })],
  ['prompts', 'team', (team) => ({ team })],
  [
    'param_stores',
    'targetAppIDs.0',
    (name) => ({ description: '', displayName: 'Store', targetAppIDs: [name] }),
  ],
  ['metrics', 'unitTypes.0', (name) => ({ type: 'event_count_custom', unitTypes: [name] })],
  ['release_pipelines', 'tags.0', (name) => ({ tags: [name] })],
  [
    'release_pipelines',
    'phases.0.rules.0.environments.0',
    (name) => ({ phases: [phase('One', { rules: [{ ...everyone, environments: [name] }] })] }),
  ],
  [
    'experiments/assignment_sources',
    'idTypeMapping.0.serviceUnitID',
    (serviceUnitID) => ({
      sql: 'SELECT 1',
      timestampColumn: 'ts',
      groupIDColumn: 'g',
      experimentIDColumn: 'e',
      idTypeMapping: [{ serviceUnitID, column: 'u' }],
    }),
  ],
  ['keys', 'environments.0', (name) => ({ type: 'SERVER', environments: [name] })],
  ['keys', 'targetAppID', (targetAppID) => ({ type: 'SERVER', targetAppID })],
];

describe('a name that could not be registered', () => {
  test.each(creations)('is refused in the body of POST /%s as %s', async (path, property, body) => {
    for (const name of refused)
      expect([
        name,
        await invalidPropertiesOf('POST', `${path}?dryRun=true`, {
          name: unique('Uses'),
          ...body(name),
        }),
      ]).toEqual([name, [property]]);
    await ok('POST', `${path}?dryRun=true`, { name: unique('Uses'), ...body('fine too') });
  });

  test('is refused in overrides', async () => {
    const [gate, layer] = [await makeGate(), await makeLayer()];
    const experiment = await makeExperiment({ layerID: layer.id });
    const [{ id: groupID, name: groupName }] = experiment.groups;
    for (const name of refused) {
      const ids = { passingIDs: ['u'], failingIDs: [] };
      const unit = { environmentOverrides: [{ environment: null, unitID: name, ...ids }] };
      const at = { environmentOverrides: [{ environment: name, unitID: 'userID', ...ids }] };
      expect(await invalidPropertiesOf('PATCH', `gates/${gate.id}/overrides`, unit)).toEqual([
        'environmentOverrides.0.unitID',
      ]);
      expect(await invalidPropertiesOf('POST', `gates/${gate.id}/overrides`, at)).toEqual([
        'environmentOverrides.0.environment',
      ]);
      const typed = { userIDOverrides: [{ groupID, ids: ['u'], unitType: name }] };
      expect(
        await invalidPropertiesOf('POST', `experiments/${experiment.id}/overrides`, typed),
      ).toEqual(['userIDOverrides.0.unitType']);
      const entry = { groupName, ids: ['u'], experimentName: experiment.id };
      const idOverrides = [{ ...entry, environment: name, idType: 'userID' }];
      expect(
        await invalidPropertiesOf('POST', `layers/${layer.id}/overrides`, { idOverrides }),
      ).toEqual(['idOverrides.0.environment']);
    }
  });

  test('is refused in one rule, and among many changes', async () => {
    const { id } = await makeGate();
    const rule = anyOf('environment_tier', '..');
    expect(await invalidPropertiesOf('POST', `gates/${id}/rules`, rule)).toEqual([
      'conditions.0.targetValue.1',
    ]);
    const changes = [
      { method: 'PATCH', path: `${base}/gates/${id}`, body: { description: 'First.' } },
      { method: 'PATCH', path: `${base}/gates/${id}`, body: { tags: ['fine', '..'] } },
    ];
    const { status, body } = await call('POST', 'changes', { body: { changes } });
    expect([status, body.index, body.errors[0].property]).toEqual([400, 1, 'changes.1.tags.1']);
  });

  test('is refused as the unit type of metric values and exposures', async () => {
    const value = { metricName: 'Orders', metricType: 'sum', value: 1 };
    const { id } = await makeGate();
    for (const unitType of refused) {
      const values = [{ ...value, unitType }];
      expect(
        await invalidPropertiesOf('POST', 'metrics/values', { date: '2026-01-01', values }),
      ).toEqual(['values.0.unitType']);
      const exposures = [{ kind: 'gate', id, group: 'x', unitType, unit: 'u', time: 1 }];
      expect(await invalidPropertiesOf('POST', 'exposures', { exposures })).toContain(
        'exposures.0.unitType',
      );
    }
  });

  test('is said to be so in words', async () => {
    const { body } = await call('POST', 'gates', { body: { name: 'Steps', tags: ['..'] } });
    expect(body.message).toBe('tags.0 must be more than dots.');
    const tags = ['x'.repeat(201)];
    const long = await call('POST', 'gates', { body: { name: 'Long', tags } });
    expect(long.body.message).toBe('tags.0 must be at most 200 characters long.');
  });
});

describe('a name that is stored already and could not be registered', () => {
  /** A gate that has had such a tag since before the rule. */
  const makeOld = async () => {
    const { id } = await makeGate({ tags: ['old', 'kept'] });
    await env.DB.prepare('update gates set tags = ? where id = ?').bind('["..","kept"]', id).run();
    return id;
  };

  test('can be read, kept, and removed', async () => {
    const id = await makeOld();
    expect((await ok('GET', `gates/${id}`)).tags).toEqual(['..', 'kept']);
    await ok('PATCH', `gates/${id}`, { description: 'Changed.' });
    await ok('PATCH', `gates/${id}`, { tags: ['..', 'kept', 'more'] });
    expect((await ok('PATCH', `gates/${id}`, { tags: ['kept'] })).tags).toEqual(['kept']);
    await ok('DELETE', `gates/${id}`);
  });

  test('is refused by a restore that brings it back', async () => {
    const id = await makeOld();
    await ok('PATCH', `gates/${id}`, { description: 'Of the time before.' });
    await ok('PUT', `gates/${id}/versions/2/restore`);
    await ok('PATCH', `gates/${id}`, { tags: ['kept'] });
    const { status, body } = await call('PUT', `gates/${id}/versions/2/restore`);
    expect([status, body.errors]).toEqual([
      400,
      [{ property: 'tags.0', errorMessage: 'must be more than dots' }],
    ]);
  });

  test('is refused by an import, which names it', async () => {
    await emptyDatabase();
    const id = await makeOld();
    const body = await exportProject();
    await emptyDatabase();
    const { refused: refusals } = await importProject(body);
    expect(refusals).toMatchObject([
      { kind: 'gate', id, message: 'tags.0 must be more than dots.' },
    ]);
  });
});

describe('names of parts and of entities', () => {
  const broken = 'One\u0007two';
  const turned = 'abc\u202edef';

  test.each([
    ['gates', 'rules.0.name', (name: string) => ({ rules: [{ ...everyone, name }] })],
    [
      'experiments',
      'groups.0.name',
      (name: string) => ({
        groups: [
          { name, size: 50 },
          { name: 'Other', size: 50 },
        ],
      }),
    ],
    [
      'layers',
      'parameters.0.name',
      (name: string) => ({ parameters: [{ name, type: 'number', defaultValue: 1 }] }),
    ],
    [
      'param_stores',
      'parameters.0.name',
      (name: string) => ({
        description: '',
        displayName: 'Store',
        parameters: [{ name, ref_type: 'static', param_type: 'number', value: 1 }],
      }),
    ],
    ['gates', 'name', (name: string) => ({ name })],
    ['metrics', 'name', (name: string) => ({ name, type: 'event_count_custom' })],
    ['param_stores', 'displayName', (displayName: string) => ({ description: '', displayName })],
  ])('are refused with controls in POST /%s as %s', async (path, property, body) => {
    for (const name of [broken, turned])
      expect(
        await invalidPropertiesOf('POST', path, { name: unique('Of parts'), ...body(name) }),
      ).toEqual([property]);
  });

  test('keep the marks that scripts from right to left need', async () => {
    const name = 'שלום\u200f (Shop)\u200e';
    expect((await makeGate({ id: 'marks_stay', name })).name).toBe(name);
  });
});
