import { describe, expect, test } from 'vitest';
import type { Condition, Parameter } from '../support/bodies.ts';
import { call, costOf, ok } from '../support/client.ts';
import {
  everyone,
  makeAutotune,
  makeDynamicConfig,
  makeExperiment,
  makeGate,
  makeHoldout,
  makeLayer,
  makeMetric,
  makeParamStore,
  makePipeline,
  makeSegment,
  makeSource,
  phase,
  unique,
} from '../support/factories.ts';

type Made = Promise<{ id: string }>;

const rules = (condition: Condition) => [{ ...everyone, conditions: [condition] }];
const named = { name: unique('orders'), type: 'event_count_custom' };
const store = (parameter: Parameter) => makeParamStore({ parameters: [parameter] });

/** References: a label, the path and factory of the target, and the factory of a referrer. */
const kinds: [
  what: string,
  path: string,
  make: () => Made,
  refer: (id: string) => Promise<unknown>,
][] = [
  [
    'passes_gate',
    'gates',
    makeGate,
    (id) => makeGate({ rules: rules({ type: 'passes_gate', targetValue: id }) }),
  ],
  [
    'passes_segment',
    'segments',
    makeSegment,
    (id) => makeGate({ rules: rules({ type: 'passes_segment', targetValue: id }) }),
  ],
  [
    'experiment_group',
    'experiments',
    makeExperiment,
    (id) =>
      makeSegment({
        rules: rules({
          type: 'experiment_group',
          field: id,
          operator: 'any',
          targetValue: ['Test'],
        }),
      }),
  ],
  [
    "a config's rule",
    'gates',
    makeGate,
    (id) => makeDynamicConfig({ rules: rules({ type: 'fails_gate', targetValue: id }) }),
  ],
  ['a targeting gate', 'gates', makeGate, (id) => makeExperiment({ targetingGateID: id })],
  ["a holdout's targeting gate", 'gates', makeGate, (id) => makeHoldout({ targetingGateID: id })],
  ["a holdout's gates", 'gates', makeGate, (id) => makeHoldout({ gateIDs: [id] })],
  [
    "a holdout's experiments",
    'experiments',
    makeExperiment,
    (id) => makeHoldout({ experimentIDs: [id] }),
  ],
  ["a holdout's layers", 'layers', makeLayer, (id) => makeHoldout({ layerIDs: [id] })],
  ['the layer of an experiment', 'layers', makeLayer, (id) => makeExperiment({ layerID: id })],
  [
    "an experiment's override",
    'segments',
    makeSegment,
    async (id) => {
      const experiment = await makeExperiment({ groups: [{ id: 'all', name: 'All', size: 100 }] });
      const overrides = [{ type: 'segment', id, groupID: 'all' }];
      return ok('POST', `experiments/${experiment.id}/overrides`, { overrides });
    },
  ],
  [
    "a layer's override",
    'experiments',
    async () => makeExperiment({ layerID: (await makeLayer()).id }),
    async (id) => {
      const { layerID } = await ok('GET', `experiments/${id}`);
      const idOverrides = [{ experimentName: id, groupName: 'Test', ids: ['u'] }];
      return ok('POST', `layers/${layerID}/overrides`, { idOverrides });
    },
  ],
  [
    'an assignment source',
    'experiments/assignment_sources',
    makeSource,
    (id) => makeExperiment({ assignmentSourceName: id }),
  ],
  [
    'a linked experiment',
    'experiments',
    makeExperiment,
    (id) => makeAutotune({ linkedExperimentName: id }),
  ],
  [
    "a param store's gate",
    'gates',
    makeGate,
    (id) =>
      store({
        name: 'p',
        ref_type: 'gate',
        param_type: 'number',
        gate_name: id,
        pass_value: 1,
        fail_value: 0,
      }),
  ],
  [
    "a param store's config",
    'dynamic_configs',
    () => makeDynamicConfig({ defaultValue: { color: 'blue' } }),
    (id) =>
      store({
        name: 'p',
        ref_type: 'dynamic_config',
        param_type: 'string',
        config_name: id,
        param_name: 'color',
      }),
  ],
  [
    "a param store's layer",
    'layers',
    () => makeLayer({ parameters: [{ name: 'color', type: 'string', defaultValue: 'blue' }] }),
    (id) =>
      store({
        name: 'p',
        ref_type: 'layer',
        param_type: 'string',
        layer_name: id,
        param_name: 'color',
      }),
  ],
  [
    "a gate's pipeline",
    'release_pipelines',
    makePipeline,
    (id) => makeGate({ releasePipelineID: id }),
  ],
  [
    "a pipeline's phase",
    'gates',
    makeGate,
    (id) =>
      makePipeline({
        phases: [{ ...phase('One'), rules: rules({ type: 'passes_gate', targetValue: id }) }],
      }),
  ],
  [
    'the components of a metric',
    'metrics',
    () => makeMetric(named),
    () => makeMetric({ type: 'composite', metricComponentMetrics: [named] }),
  ],
  [
    'the metrics of an experiment',
    'metrics',
    () => makeMetric({ ...named, name: 'in_experiment' }),
    () => makeExperiment({ secondaryMetrics: [{ ...named, name: 'in_experiment' }] }),
  ],
  [
    'the prior of a metric',
    'metrics',
    () => makeMetric({ ...named, name: 'of_prior' }),
    () => {
      const metric = { ...named, name: 'of_prior' };
      return makeExperiment({ bayesianPriors: [{ metric, priorMean: 1, priorStdDev: 1 }] });
    },
  ],
  [
    'the decision rule of an experiment',
    'metrics',
    () => makeMetric({ ...named, name: 'of_rule' }),
    (metricID) => makeExperiment({ decisionRule: [{ metricID, better: true }] }),
  ],
  [
    'the smallest changes of an experiment',
    'metrics',
    () => makeMetric({ ...named, name: 'of_zone' }),
    (metricID) => makeExperiment({ smallestChanges: [{ metricID, percent: 2 }] }),
  ],
  [
    'the covariates of an experiment',
    'metrics',
    () => makeMetric({ ...named, name: 'covariate' }),
    () => makeExperiment({ cureCovariates: [{ ...named, name: 'covariate' }] }),
  ],
  [
    'the metric by which an experiment is stratified',
    'metrics',
    () => makeMetric({ ...named, name: 'of_strata' }),
    () =>
      makeExperiment({
        stratifiedSampling: { status: 'pending', metric: { ...named, name: 'of_strata' } },
      }),
  ],
  [
    'the monitoring metrics of a gate',
    'metrics',
    () => makeMetric({ ...named, name: 'of_gate' }),
    () => makeGate({ monitoringMetrics: [{ ...named, name: 'of_gate' }] }),
  ],
];

describe('a referenced entity', () => {
  test.each(kinds)('deleting the target of %s is 409', async (_, path, make, refer) => {
    const { id } = await make();
    const entity = `${path}/${encodeURIComponent(id)}`;
    const before = await ok('GET', entity);
    await refer(id);
    const answer = await call('DELETE', entity);
    expect([answer.status, answer.body.type]).toEqual([409, '/problems/in_use']);
    expect(answer.body.references).toContainEqual(
      expect.objectContaining({ id: expect.any(String) }),
    );
    expect((await call('GET', entity)).status).toBe(200);
    expect((await ok('GET', entity)).createdTime).toBe(before.createdTime);
  });
});

test('an unknown targeting gate is 400, while an unknown metric is accepted', async () => {
  const primaryMetrics = [{ ...named, name: unique('unknown') }];
  const body = { name: unique('Experiment'), primaryMetrics, targetingGateID: 'nowhere' };
  const { status, body: refused } = await call('POST', 'experiments', { body });
  expect([status, refused.type]).toEqual([400, '/problems/unknown_reference']);
  expect(refused.errors).toMatchObject([{ property: 'targetingGateID' }]);
});

test('a reference to a gate is not one to a config or segment with its ID', async () => {
  const { id } = await makeGate();
  await makeDynamicConfig({ id });
  const referringTo = (type: string) => ({
    name: unique('Gate'),
    rules: rules({ type, targetValue: id }),
  });
  await makeGate(referringTo('passes_gate'));
  await ok('DELETE', `dynamic_configs/${id}`);
  expect((await call('DELETE', `gates/${id}`)).status).toBe(409);
  const refused = await call('POST', 'gates', { body: referringTo('passes_segment') });
  expect([refused.status, refused.body.type]).toEqual([400, '/problems/unknown_reference']);
});

describe('a group in a condition', () => {
  const inGroups = (field: string, ...targetValue: string[]) =>
    rules({ type: 'experiment_group', field, operator: 'any', targetValue });
  const groups = (...names: string[]) => names.map((name) => ({ name, size: 100 / names.length }));
  const rename = (id: string, ...names: string[]) =>
    call('PATCH', `experiments/${id}`, { body: { groups: groups(...names) } });

  test.each<[string, (field: string) => Promise<unknown>]>([
    ['gate', (id) => makeGate({ rules: inGroups(id, 'Control', 'Test') })],
    ['dynamic_config', (id) => makeDynamicConfig({ rules: inGroups(id, 'Test') })],
    ['segment', (id) => makeSegment({ rules: inGroups(id, 'Test') })],
    [
      'experiment',
      (id) => makeExperiment({ inlineTargetingRulesJSON: JSON.stringify(inGroups(id, 'Test')) }),
    ],
    [
      'release_pipeline',
      (id) => makePipeline({ phases: [phase('One', { rules: inGroups(id, 'Test') })] }),
    ],
  ])('renaming a group is 409 if a condition of a %s refers to it', async (kind, make) => {
    const { id } = await makeExperiment();
    await make(id);
    const answer = await rename(id, 'Control', 'Variant');
    expect([answer.status, answer.body.references]).toMatchObject([
      409,
      [{ kind, refersTo: { kind: 'experiment_group', id: `${id}:Test` } }],
    ]);
    expect((await rename(id, 'Test', 'Control', 'Another')).status).toBe(200);
    const { usedBy } = await ok('GET', `experiments/${id}/references`);
    expect(usedBy).toHaveLength(1);
  });

  test('a group and the condition that refers to it can be renamed together', async () => {
    const { id } = await makeExperiment();
    const gate = await makeGate({ rules: inGroups(id, 'Test') });
    const path = (of: string) => `/console/v1/${of}`;
    const changes = [
      {
        method: 'PATCH',
        path: path(`experiments/${id}`),
        body: { groups: groups('Control', 'Variant') },
      },
      { method: 'PATCH', path: path(`gates/${gate.id}`), body: { rules: inGroups(id, 'Variant') } },
    ];
    expect((await call('POST', 'changes', { body: { changes } })).status).toBe(200);
    expect((await rename(id, 'Control', 'Test')).status).toBe(409);
  });

  test('many changes that refer to a group and then rename it are 409', async () => {
    const { id } = await makeExperiment();
    const gate = await makeGate({ rules: inGroups(id, 'Test') });
    const referringTo = (name: string) => ({
      method: 'POST',
      path: '/console/v1/gates',
      body: { name, id: name, rules: inGroups(id, 'Test') },
    });
    const released = { method: 'DELETE', path: `/console/v1/gates/${gate.id}` };
    const renamed = {
      method: 'PATCH',
      path: `/console/v1/experiments/${id}`,
      body: { groups: groups('Control', 'Variant') },
    };
    const [first, second] = [unique('gate_'), unique('gate_')].map((name) => name.replace(' ', ''));
    const send = (...changes: object[]) => call('POST', 'changes', { body: { changes } });
    const refused = await send(released, referringTo(String(first)), renamed);
    expect([refused.status, refused.body.index, refused.body.references]).toMatchObject([
      409,
      2,
      [{ kind: 'gate', id: first, refersTo: { kind: 'experiment_group', id: `${id}:Test` } }],
    ]);
    const taken = await send(released, renamed, referringTo(String(second)));
    expect(taken.status, 'as one after the other').toBe(200);
  });

  test('many changes that refer to a metric and then delete it are 409', async () => {
    const metric = await makeMetric();
    const primaryMetrics = [{ name: metric.name, type: metric.type }];
    const measured = {
      method: 'POST',
      path: '/console/v1/experiments',
      body: { name: unique('Measured'), primaryMetrics },
    };
    const path = `/console/v1/metrics/${encodeURIComponent(metric.id)}`;
    const changes = [measured, { method: 'DELETE', path }];
    const { status, body } = await call('POST', 'changes', { body: { changes } });
    expect([status, body.index]).toEqual([409, 1]);
  });

  test('a condition may refer to a future group, which is referenced once it exists', async () => {
    const { id } = await makeExperiment();
    const { id: gateID } = await makeGate({ rules: inGroups(id, 'Test', 'Later') });
    expect((await rename(id, 'Test', 'Later')).status).toBe(200);
    expect((await rename(id, 'Test', 'Control')).status).toBe(409);
    const { uses } = await ok('GET', `gates/${gateID}/references`);
    expect(uses).toEqual([{ kind: 'experiment', id, field: 'rules' }]);
    const [inGroup] = inGroups(id, 'Nobody');
    const passing = {
      ...rules({ type: 'passes_gate', targetValue: 'nowhere' })[0],
      name: 'Passing',
    };
    const body = { name: unique('Gate'), rules: [inGroup, passing] };
    expect((await call('POST', 'gates', { body })).body.errors).toMatchObject([
      { property: 'rules.1.conditions.0.targetValue' },
    ]);
  });

  test('a change of a group in a condition searches for no cycle', async () => {
    const { id } = await makeExperiment();
    const gate = await makeGate({ rules: inGroups(id, 'Test') });
    const costs = async (body: object) => costOf(await call('PATCH', `gates/${gate.id}`, { body }));
    const plain = await costs({ description: 'Anything.' });
    const { read } = await costs({ rules: inGroups(id, 'Control') });
    expect(read - plain.read).toBe(3); // one reference removed and one added
  });

  test('an entity may refer to at most 10,000 groups', async () => {
    const { id } = await makeExperiment();
    const make = (count: number) => {
      const names = Array.from({ length: count }, (_, index) => `g${index}`);
      const [one, other] = [
        inGroups(id, ...names)[0],
        { ...inGroups(id, 'Test')[0], name: 'Other' },
      ];
      return call('POST', 'gates', { body: { name: unique('Gate'), rules: [one, other] } });
    };
    expect((await make(9999)).status).toBe(201);
    const refused = await make(10_000);
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ property: 'rules' }]]);
  });
});
