import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { call, invalidPropertiesOf, ok } from '../support/client.ts';
import {
  makeExperiment,
  makeExperimentIn,
  makeGate,
  makeLayer,
  makeSource,
  unique,
} from '../support/factories.ts';

const metric = { name: 'orders', type: 'event_count_custom' };
const groups = [
  {
    id: 'g0',
    name: 'Control',
    size: 50,
    parameterValues: {},
    description: 'As it is',
    disabled: false,
  },
  {
    id: 'g1',
    name: 'Test',
    size: 50,
    parameterValues: { color: 'green' },
    description: '',
    disabled: false,
  },
];

const full = (gateID: string, layerID: string, source: string) => ({
  id: unique('full').replace(' ', '_'),
  name: 'Full experiment',
  description: 'All of it',
  idType: 'companyID',
  secondaryIDType: 'userID',
  identifierMappingMode: 'firstTouchOneToMany',
  identityResolutionSource: 'crm',
  hypothesis: 'It works',
  externalEvents: [{ name: 'Outage', timestamp: 1767225600000 }],
  groups,
  controlGroupID: 'g1',
  allocation: 12.5,
  userBuckets: [0, 1, 999],
  primaryMetricTags: ['core'],
  secondaryMetricTags: ['guard'],
  primaryMetrics: [{ ...metric, direction: 'increase', hypothesizedValue: 3 }],
  secondaryMetrics: [metric],
  otherMetrics: [metric],
  targetApps: ['ios'],
  tags: ['a'],
  duration: 21,
  targetExposures: 1000,
  targetingGateID: gateID,
  sequentialTesting: true,
  bonferroniCorrection: true,
  bonferroniCorrectionPerMetric: true,
  benjaminiHochbergPerVariant: true,
  benjaminiHochbergPerMetric: true,
  benjaminiPrimaryMetricsOnly: true,
  defaultConfidenceInterval: '99',
  defaultRollupWindow: 3,
  defaultChanceToBeatThreshold: 0.9,
  bayesianPriors: [{ metric, priorMean: 1, priorStdDev: 0.5 }],
  manualQualityScores: [
    {
      criteriaName: 'Reviewed',
      status: 'PASSED',
      criteriaDescription: 'By two',
      score: 80,
      weight: 100,
    },
  ],
  launchedGroupID: 'g1',
  assignmentSourceName: source,
  assignmentSourceExperimentName: 'exp_2026',
  creatorID: 'someone',
  creatorEmail: 'someone@shop.example',
  isAnalysisOnly: true,
  team: 'Checkout',
  teamID: 't1',
  allocationDuration: 10,
  cohortedAnalysisDuration: 7,
  cohortedMetricsMatureAfterEnd: true,
  cohortWaitUntilEndToInclude: true,
  fixedAnalysisDuration: 28,
  scheduledReloadHour: 23,
  scheduledReloadType: 'incremental',
  scheduledReloadDays: [0, 6],
  turboMode: true,
  analysisEndTime: '2026-12-31T00:00:00Z',
  assignmentSourceFilters: [{ column: 'country', condition: 'in', values: ['DE'] }],
  analyticsType: 'sprt',
  defaultSPRTPowerParam: 80,
  isSidecar: false,
  decisionReason: 'None yet',
  preComputedUserDimensions: [{ propertySource: 'crm', name: 'plan' }],
  cureCovariates: [metric],
  stratifiedSampling: { status: 'pending', metric, entityPropertySource: 'crm', csv: 'a,b' },
  enabledNonProdEnvironments: ['staging'],
  layerID,
  links: [{ url: 'https://wiki.shop.example/exp', title: 'Plan' }],
});

describe('a new experiment', () => {
  test('reads back with every value it was created with', async () => {
    const gate = await makeGate();
    const layer = await makeLayer({
      parameters: [{ name: 'color', type: 'string', defaultValue: 'grey' }],
    });
    const source = await makeSource();
    const body = full(gate.id, layer.id, source.name);
    await ok('POST', 'experiments', { ...body, status: 'active' });
    const { snapshot } = await ok('GET', `experiments/${body.id}/versions/1`);
    expect(snapshot).toMatchObject({
      ...body,
      launchedGroupID: null,
      status: 'setup',
      startTime: null,
      endTime: null,
    });
  });

  test('gets defaults for absent properties, and is in setup for any status in the body', async () => {
    const experiment = await makeExperiment({ status: 'active' });
    expect(experiment).toMatchObject({
      status: 'setup',
      allocation: 100,
      duration: 14,
      defaultConfidenceInterval: '95',
      idType: 'userID',
      experimentType: 'BASE',
      startTime: null,
      launchedGroupID: null,
      layerID: null,
      targetingGateID: '',
      owner: { ownerType: 'USER' },
      healthCheckStatus: 'WAITING',
      isStale: false,
    });
    expect(experiment.groups).toMatchObject([
      { name: 'Control', size: 50 },
      { name: 'Test', size: 50 },
    ]);
    const { snapshot } = await ok('GET', `experiments/${experiment.id}/versions/1`);
    expect(snapshot.controlGroupID).toBe(experiment.groups[0].id);
  });

  test('is read alone without name, creatorID and healthChecks', async () => {
    const { id } = await makeExperiment();
    const single = await ok('GET', `experiments/${id}`);
    for (const property of ['name', 'creatorID', 'healthChecks'])
      expect(single).not.toHaveProperty(property);
  });

  test('stores an allocation and group sizes without rounding noise', async () => {
    const groups = [
      { name: 'Control', size: 1e-10 },
      { name: 'Test', size: 100.0000000001 },
    ];
    const { allocation, groups: stored } = await makeExperiment({ allocation: 1e-10, groups });
    expect(allocation).toBe(0);
    expect(stored.map(({ size }: { size: number }) => size)).toEqual([0, 100]);
  });
});

describe('the body of an experiment', () => {
  const better = { metricID: 'a::sum', better: true };
  const zone = (percent: number) => ({ metricID: 'a::sum', percent });

  /** Limits of the contract: property, a value beyond the limit, a value at the limit, the property in the 400. */
  test.each([
    ['name', 'xx', 'xxx'],
    ['name', 'x'.repeat(101), 'x'.repeat(100)],
    ['description', 'x'.repeat(1001), 'x'.repeat(1000)],
    ['allocation', -0.1, 0],
    ['allocation', 100.1, 100],
    ['userBuckets', [-1], [0], 'userBuckets.0'],
    ['userBuckets', [5, 1000], [999.9], 'userBuckets.1'],
    ['duration', 1, 2],
    ['targetExposures', 1, 2],
    ['allocationDuration', 1, 2],
    ['cohortedAnalysisDuration', 1, 2],
    ['fixedAnalysisDuration', 1, 2],
    ['scheduledReloadHour', -1, 0],
    ['scheduledReloadHour', 24, 23],
    ['scheduledReloadDays', [-1], [0], 'scheduledReloadDays.0'],
    ['scheduledReloadDays', [7], [6], 'scheduledReloadDays.0'],
    ['defaultRollupWindow', 2, 7],
    ['defaultRollupWindow', 0, -1],
    ['defaultRollupWindow', 30, 1],
    ['defaultConfidenceInterval', '85', '80'],
    ['groups', [{ name: '\ue000', size: 100 }], [{ name: 'One', size: 100 }], 'groups.0.name'],
    ['smallestChanges', [zone(0)], [zone(0.1)], 'smallestChanges.0.percent'],
    ['smallestChanges', [zone(1001)], [zone(1000)], 'smallestChanges.0.percent'],
    ['smallestChanges', [zone(1), zone(2)], [zone(1)], 'smallestChanges.1.metricID'],
    [
      'decisionRule',
      [better, { ...better }],
      [better, { metricID: 'b::sum', notWorseThan: 0 }],
      'decisionRule.1.metricID',
    ],
    ['decisionRule', [{ ...better, better: false }], [better], 'decisionRule.0'],
    ['decisionRule', [{ ...better, notWorseThan: 2 }], [better], 'decisionRule.0'],
    ['decisionRule', [{ metricID: 'a::sum' }], [], 'decisionRule.0'],
    ['decisionRule', [{ metricID: 'a::sum', notWorseThan: -1 }], [], 'decisionRule.0.notWorseThan'],
    [
      'bayesianPriors',
      [{ metric, priorMean: 0, priorStdDev: 0 }],
      [],
      'bayesianPriors.0.priorStdDev',
    ],
  ])('has bounds: %s %j', async (property, past, on, at = property) => {
    const { id } = await makeExperiment();
    expect(await invalidPropertiesOf('PATCH', `experiments/${id}`, { [property]: past })).toEqual([
      at,
    ]);
    await ok('PATCH', `experiments/${id}`, { [property]: on });
    const create = {
      ...full('', '', ''),
      layerID: undefined,
      assignmentSourceName: undefined,
      isAnalysisOnly: null,
    };
    const body = { ...create, defaultRollupWindow: 7, [property]: past };
    expect(await invalidPropertiesOf('POST', 'experiments', body)).toEqual([at]);
  });

  test.each([
    ['both', { ...better, notWorseThan: 2 }],
    ['neither', { metricID: 'a::sum' }],
    ['a false one', { ...better, better: false }],
    ['a text', { metricID: 'a::sum', notWorseThan: '2' }],
    ['no metric', { better: true }],
    ['an unknown one', { metricID: 'a::sum', worse: 2 }],
  ])('states the shape of a condition of its decision rule with %s', async (_, condition) => {
    const { id } = await makeExperiment();
    const decisionRule = [better, { metricID: 'b::sum', better: true }, condition];
    const { body } = await call('PATCH', `experiments/${id}`, { body: { decisionRule } });
    expect(body.errors).toEqual([
      {
        property: 'decisionRule.2',
        errorMessage:
          'must have a metricID, and either better: true or notWorseThan from 0 to 1000',
      },
    ]);
  });

  test('accepts any rollup window if it is for analysis only', async () => {
    const given = { isAnalysisOnly: true, defaultRollupWindow: 30 };
    expect(await makeExperiment(given)).toMatchObject(given);
  });

  test('has an id of 3 to 100 characters', async () => {
    for (const id of ['ab', 'x'.repeat(101)])
      expect(await invalidPropertiesOf('POST', 'experiments', { name: 'Experiment', id })).toEqual([
        'id',
      ]);
    for (const id of ['abc', 'x'.repeat(100)]) await makeExperiment({ id });
    expect(
      await invalidPropertiesOf('POST', 'experiments', { name: 'X', id: 'assignment_sources' }),
    ).toContain('id');
    expect(await invalidPropertiesOf('POST', 'experiments', {})).toEqual(['name']);
  });

  test('has up to 10 quality scores, with weights that sum to 100', async () => {
    const score = (name: number | string, weight = 10) => ({
      criteriaName: `${name}`,
      status: 'PASSED',
      criteriaDescription: '',
      score: 50,
      weight,
    });
    const scores = (count: number) => Array.from({ length: count }, (_, index) => score(index));
    const { id } = await makeExperiment({ manualQualityScores: scores(9) });
    const path = `experiments/${id}`;
    for (const more of [scores(11), [score('POWER_ANALYSIS'), score('one more')]])
      expect(await invalidPropertiesOf('PATCH', path, { manualQualityScores: more })).toEqual([
        'manualQualityScores',
      ]);
    await ok('PATCH', path, { manualQualityScores: [score('POWER_ANALYSIS', 100)] });
    const weights = async (version: number) => {
      const { snapshot } = await ok('GET', `${path}/versions/${version}`);
      return snapshot.manualQualityScores.map(({ weight }: { weight: number }) => weight);
    };
    expect(await weights(2)).toEqual([...Array(9).fill(expect.closeTo(50 / 9)), 50]);
    await ok('PATCH', path, { manualQualityScores: [score('POWER_ANALYSIS', 0)] });
    expect(await weights(3)).toEqual(Array(9).fill(expect.closeTo(100 / 9)));
  });
});

describe('an experiment', () => {
  test('has groups of different names and ids, whose sizes sum to 100', async () => {
    const sized = (...sizes: number[]) => sizes.map((size, index) => ({ name: `G${index}`, size }));
    const { id } = await makeExperiment();
    const path = `experiments/${id}`;
    expect(await invalidPropertiesOf('PATCH', path, { groups: sized(50, 49.9) })).toEqual([
      'groups',
    ]);
    expect(await invalidPropertiesOf('PATCH', path, { groups: sized(50, 101) })).toContain(
      'groups.1.size',
    );
    for (const sizes of [
      [33.33, 33.33, 33.33],
      [50, 50.01],
      [49.99, 50],
    ])
      await ok('POST', 'experiments', { name: unique('Sized'), groups: sized(...sizes) });
    for (const sizes of [
      [50, 50.02],
      [49.98, 50],
      [33.33, 33.33, 33.32],
    ])
      expect(await invalidPropertiesOf('PATCH', path, { groups: sized(...sizes) })).toEqual([
        'groups',
      ]);
    const twice = [...sized(50), ...sized(50)];
    expect(await invalidPropertiesOf('PATCH', path, { groups: twice })).toEqual(['groups.1.name']);
    const alike = sized(50, 50).map((group) => ({ ...group, id: 'g' }));
    expect(await invalidPropertiesOf('PATCH', path, { groups: alike })).toEqual(['groups.1.id']);
    const own = ['layerAssignment', 'g:userID:id_override', 'g:a_gate:override'];
    const alone = [{ name: 'G', size: 100 }];
    for (const id of own)
      expect(
        await invalidPropertiesOf('PATCH', path, {
          groups: alone.map((group) => ({ ...group, id })),
        }),
      ).toEqual(['groups.0.id']);
  });

  test('must refer to its own groups', async () => {
    const body = { name: 'Groups', groups, controlGroupID: 'x' };
    expect(await invalidPropertiesOf('POST', 'experiments', body)).toEqual(['controlGroupID']);
    const { id } = await makeExperimentIn('decision_made');
    expect(
      await invalidPropertiesOf('PATCH', `experiments/${id}`, { launchedGroupID: 'x' }),
    ).toEqual(['launchedGroupID']);
  });

  test('must refer to existing gates, layers and assignment sources', async () => {
    for (const property of ['targetingGateID', 'layerID', 'assignmentSourceName'])
      expect(
        await invalidPropertiesOf('POST', 'experiments', { name: 'Refs', [property]: 'nothing' }),
      ).toEqual([property]);
    const rules = [
      { name: 'R', passPercentage: 1, conditions: [{ type: 'passes_gate', targetValue: 'none' }] },
    ];
    const body = { name: 'Refs', inlineTargetingRulesJSON: JSON.stringify(rules) };
    expect(await invalidPropertiesOf('POST', 'experiments', body)).toEqual([
      'inlineTargetingRulesJSON.0.conditions.0.targetValue',
    ]);
    expect(
      await invalidPropertiesOf('POST', 'experiments', { ...body, inlineTargetingRulesJSON: '{' }),
    ).toEqual(['inlineTargetingRulesJSON']);
  });
});

describe('an experiment with targeting rules', () => {
  test('is refused with the position of an error in its targeting rules text', async () => {
    const anyone = { type: 'public' };
    const rules = [
      { name: 'All', passPercentage: 100, conditions: [anyone] },
      { name: 5, passPercentage: 101, conditions: [anyone, { type: 'nothing' }] },
      { passPercentage: 1, conditions: [anyone] },
    ];
    const { body } = await call('POST', 'experiments', {
      body: { name: 'Targeted', inlineTargetingRulesJSON: JSON.stringify(rules) },
    });
    const at = (place: string) => `inlineTargetingRulesJSON.${place}`;
    expect(body.errors).toEqual([
      { property: at('1.name'), errorMessage: 'must be a text' },
      { property: at('1.passPercentage'), errorMessage: 'must be at most 100' },
      { property: at('1.conditions.1.type'), errorMessage: expect.any(String) },
      { property: at('2.name'), errorMessage: 'is required' },
    ]);
  });

  test('is refused with only the first error of a long targeting rules text', async () => {
    const rule = { name: 'R', passPercentage: -1, conditions: Array(480).fill({}) };
    const inlineTargetingRulesJSON = JSON.stringify(Array(499).fill(rule));
    const { status, body } = await call('POST', 'experiments', {
      body: { name: 'Wrong throughout', inlineTargetingRulesJSON },
    });
    const first = 'inlineTargetingRulesJSON.0.passPercentage';
    expect([status, body.errors?.[0].property]).toEqual([400, first]);
    expect(body.errors.length).toBeLessThan(10);
  });

  test('accepts any rule ids in inline rules, which evaluation does not return', async () => {
    const rules = [{ id: 'default', name: 'R', passPercentage: 1, conditions: [] }];
    const inlineTargetingRulesJSON = JSON.stringify(rules);
    const { id } = await makeExperiment({ inlineTargetingRulesJSON });
    expect(await ok('GET', `experiments/${id}`)).toMatchObject({ inlineTargetingRulesJSON });
  });
});

describe('the groups of an experiment', () => {
  test('keep distinct ids when two are swapped', async () => {
    const groups = ['control', 'test'].map((name) => ({ name, id: name, size: 50 }));
    const { id } = await makeExperiment({ groups });
    const swapped = [
      { name: 'other', id: 'test', size: 50 },
      { name: 'test', size: 50 },
    ];
    const body = { groups: swapped, controlGroupID: 'test' };
    const { groups: after } = await ok('PATCH', `experiments/${id}`, body);
    expect(new Set(after.map((group: { id: string }) => group.id)).size).toBe(2);
  });

  test('must include an enabled one', async () => {
    const groups = ['A', 'B'].map((name) => ({ name, size: 50, disabled: true }));
    expect(
      await invalidPropertiesOf('POST', 'experiments', { name: 'All of them off', groups }),
    ).toEqual(['groups']);
    const { id } = await makeExperiment();
    expect(await invalidPropertiesOf('PATCH', `experiments/${id}`, { groups })).toContain('groups');
  });
});

describe('overrides of an experiment without a unit type', () => {
  test('use the unit type of the experiment by default', async () => {
    const experiment = await makeExperimentIn('setup');
    await ok('PATCH', `experiments/${experiment.id}`, { idType: 'companyID' });
    const path = `experiments/${experiment.id}/overrides`;
    const twice = (unitType: string | undefined, other: string | undefined) => ({
      userIDOverrides: [
        { groupID: 'control', ids: ['a'], unitType },
        { groupID: 'test', ids: ['a'], unitType: other },
      ],
    });
    expect(await invalidPropertiesOf('POST', path, twice(undefined, 'companyID'))).toEqual([
      'userIDOverrides.1',
    ]);
    expect(await invalidPropertiesOf('POST', path, twice('companyID', undefined))).toEqual([
      'userIDOverrides.1',
    ]);
    await ok('POST', path, twice(undefined, 'userID'));
    const change = { idType: 'userID' };
    expect(await invalidPropertiesOf('PATCH', `experiments/${experiment.id}`, change)).toEqual([
      'idType',
    ]);
  });

  test('are removed for any unit type and environment by default, and counted', async () => {
    const { id } = await makeExperimentIn('setup');
    const gate = await makeGate();
    const path = `experiments/${id}/overrides`;
    const [units, gated] = [
      { groupID: 'test', ids: ['a', 'b'] },
      { type: 'gate', id: gate.id, groupID: 'test' },
    ];
    const environments = [{}, { environment: 'staging' }];
    const all = {
      overrides: environments.map((environment) => ({ ...gated, ...environment })),
      userIDOverrides: [
        ...environments.map((environment) => ({ ...units, ...environment })),
        { ...units, unitType: 'companyID' },
      ],
    };
    const remove = async (body?: object) => {
      await ok('POST', path, all);
      const { body: answer } = await call('DELETE', path, { body });
      return [answer.removed, answer.data.overrides.length, answer.data.userIDOverrides];
    };
    expect(await ok('POST', path, { userIDOverrides: [{ ...units, environment: '' }] })).toEqual({
      overrides: [],
      userIDOverrides: [{ ...units, environment: null }],
    });
    const [everywhere, staging, company] = all.userIDOverrides;
    const b = (entry: object | undefined) => ({ ...entry, ids: ['b'] });
    const one = { ...units, ids: ['a'] };
    const cases: [body: object | undefined, removed: number, left: number, units: unknown][] = [
      [{ userIDOverrides: [one] }, 3, 2, [b(everywhere), b(staging), b(company)]],
      [{ userIDOverrides: [units] }, 6, 2, []],
      [
        { userIDOverrides: [{ ...one, unitType: 'userID' }] },
        2,
        2,
        [b(everywhere), b(staging), company],
      ],
      [
        { userIDOverrides: [{ ...one, environment: 'staging' }] },
        1,
        2,
        [everywhere, b(staging), company],
      ],
      [{ userIDOverrides: [{ ...units, environment: null }] }, 4, 2, [staging]],
      [{ userIDOverrides: [{ ...units, environment: '' }] }, 4, 2, [staging]],
      [{ userIDOverrides: [{ ...units, ids: ['c'] }] }, 0, 2, all.userIDOverrides],
      [{ overrides: [gated] }, 2, 0, all.userIDOverrides],
      [{ overrides: [{ ...gated, environment: 'staging' }] }, 1, 1, all.userIDOverrides],
      [undefined, 8, 0, []],
    ];
    for (const [body, ...expected] of cases)
      expect(await remove(body), JSON.stringify(body)).toEqual(expected);
  });
});

describe('the overrides of an experiment', () => {
  test('put an id into one group only, of this experiment', async () => {
    const { id } = await makeExperimentIn('setup');
    const path = `experiments/${id}/overrides`;
    const users = (groupID: string, ...ids: string[]) => ({ userIDOverrides: [{ groupID, ids }] });
    await ok('POST', path, users('test', 'a', 'b'));
    expect(await invalidPropertiesOf('PATCH', path, users('control', 'c', 'a'))).toEqual([
      'userIDOverrides.0',
    ]);
    expect(await invalidPropertiesOf('PATCH', path, users('other', 'c'))).toEqual([
      'userIDOverrides.0.groupID',
    ]);
    expect(await invalidPropertiesOf('PATCH', path, users('other'))).toEqual([
      'userIDOverrides.0.groupID',
    ]);
    expect(await ok('PATCH', path, users('test', 'c'))).toMatchObject(users('test', 'a', 'b', 'c'));
    expect(await ok('DELETE', path, users('test', 'a', 'c'))).toMatchObject(users('test', 'b'));
  });

  test('put an id into one group of an environment, also through all environments', async () => {
    const { id } = await makeExperimentIn('setup');
    const path = `experiments/${id}/overrides`;
    const users = (groupID: string, environment: string | null = null) => ({
      userIDOverrides: [{ groupID, ids: ['a'], environment }],
    });
    const twice = ['userIDOverrides.0'];
    await ok('POST', path, users('test'));
    expect(await invalidPropertiesOf('PATCH', path, users('control', 'staging'))).toEqual(twice);
    await ok('POST', path, users('test', 'staging'));
    expect(await invalidPropertiesOf('PATCH', path, users('control'))).toEqual(twice);
    await ok('PATCH', path, users('control', 'production'));
    expect(await invalidPropertiesOf('PATCH', path, users('test'))).toEqual(['userIDOverrides.0']);
    expect(await invalidPropertiesOf('PATCH', path, users('test', 'Production'))).toEqual(twice);
    const companies = (groupID: string, unitType: string) => ({
      userIDOverrides: [{ groupID, ids: ['a'], unitType }],
    });
    await ok('PATCH', path, companies('test', 'companyID'));
    expect(await invalidPropertiesOf('PATCH', path, companies('control', 'companyid'))).toEqual(
      twice,
    );
  });

  test('refuse a unit type that puts one unit into two groups', async () => {
    const { id, name } = await makeExperimentIn('setup');
    const path = `experiments/${id}`;
    const [own, other] = [
      { groupID: 'test', ids: ['a'] },
      { groupID: 'control', ids: ['a'], unitType: 'companyID' },
    ];
    await ok('POST', `${path}/overrides`, { userIDOverrides: [own, other] });
    expect(await invalidPropertiesOf('PATCH', path, { idType: 'companyID' })).toEqual(['idType']);
    await ok('POST', `${path}/overrides`, { userIDOverrides: [own] });
    await ok('PATCH', path, { idType: 'companyID' });
    const users = { ...other, unitType: 'userID' };
    await ok('POST', `${path}/overrides`, { userIDOverrides: [own, users] });
    expect(await invalidPropertiesOf('POST', path, { name })).toEqual(['idType']);
  });

  test('must refer to existing gates, and block their removal', async () => {
    const { id } = await makeExperimentIn('setup');
    const path = `experiments/${id}/overrides`;
    const gate = (name: string) => ({ overrides: [{ type: 'gate', id: name, groupID: 'test' }] });
    expect(await invalidPropertiesOf('POST', path, gate('nothing'))).toEqual(['overrides.0.id']);
    const { id: gateID } = await makeGate();
    await ok('POST', path, gate(gateID));
    expect((await call('DELETE', `gates/${gateID}`)).status).toBe(409);
    expect(await ok('DELETE', path, gate(gateID))).toMatchObject({ overrides: [] });
    await ok('DELETE', `gates/${gateID}`);
  });

  test('block the removal of their groups', async () => {
    const { id } = await makeExperimentIn('setup');
    await ok('POST', `experiments/${id}/overrides`, {
      userIDOverrides: [{ groupID: 'test', ids: ['a'] }],
    });
    const body = { groups: [{ id: 'control', name: 'control', size: 100 }] };
    expect(await invalidPropertiesOf('PATCH', `experiments/${id}`, body)).toEqual(['groups']);
  });
});

describe('the list of experiments', () => {
  test('has every filter of the contract', async () => {
    const layer = await makeLayer();
    const tag = unique('filter');
    const mine = {
      layerID: layer.id,
      idType: 'deviceID',
      teamID: unique('team'),
      targetApps: unique('app'),
      experimentType: 'GEO',
      creatorID: unique('creator'),
      tags: [tag, 'other'],
    };
    const { id, createdTime } = await makeExperiment(mine);
    await makeExperiment({ tags: ['other'] });
    const day = new Date(createdTime).toISOString().slice(0, 10);
    const filters = [
      `layerID=${layer.id}`,
      `idType=deviceID&tags=${tag}`,
      `teamID=${mine.teamID}`,
      `targetAppID=${mine.targetApps}`,
      `experimentType=GEO&tags=${tag}`,
      `experimentType=GEO&experimentType=BASE&tags=${tag}`,
      `creatorID=${mine.creatorID}`,
      `creatorName=CONSOLE%20API&tags=${tag}`,
      `status=setup&status=active&tags=${tag}`,
      `createdStartDate=${day}&createdEndDate=${day}&tags=${tag}`,
      `tags=${tag}&tags=nothing`,
    ];
    for (const filter of filters) {
      const found = await ok('GET', `experiments?${filter}`);
      expect(
        found.map((item: { id: string }) => item.id),
        filter,
      ).toEqual([id]);
    }
    for (const none of ['status=active', 'createdEndDate=2020-01-01', 'experimentType=BASE'])
      expect(await ok('GET', `experiments?tags=${tag}&${none}`)).toEqual([]);
    for (const wrong of [
      'status=new',
      'experimentType=X',
      'stale=yes',
      'createdStartDate=2026-02-30',
    ])
      expect((await call('GET', `experiments?${wrong}`)).status).toBe(400);
  });

  test('includes archived ones unless excluded', async () => {
    const tag = unique('archived');
    const both = [await makeExperiment({ tags: [tag] }), await makeExperiment({ tags: [tag] })];
    await ok('PUT', `experiments/${both[0].id}/archive`);
    const ids = async (query: string) =>
      (await ok('GET', `experiments?tags=${tag}${query}`)).map(({ id }: { id: string }) => id);
    const all = both.map(({ id }) => id).toSorted();
    expect((await ids('')).toSorted()).toEqual(all);
    expect((await ids('&includeArchived=true')).toSorted()).toEqual(all);
    expect(await ids('&includeArchived=false')).toEqual([both[1].id]);
    expect(await ids('&includeArchived=false&status=archived')).toEqual([]);
    const { pagination } = (await call('GET', `experiments?tags=${tag}&includeArchived=false`))
      .body;
    expect(pagination.totalItems).toBe(1);
    const { body } = await call('GET', 'experiments?includeArchived=false&limit=1000');
    expect(body.pagination.totalItems).toBe(body.data.length);
    expect((await call('GET', 'experiments?includeArchived=no')).status).toBe(400);
  });

  test('filters experiments by whether they are stale', async () => {
    const { id } = await makeExperimentIn('active');
    const tag = unique('stale');
    await ok('PATCH', `experiments/${id}`, { tags: [tag] });
    expect(await ok('GET', `experiments?tags=${tag}&stale=true`)).toEqual([]);
    const longAgo = Date.now() - 30 * 24 * 60 * 60 * 1000 - 1000;
    const age = 'update experiments set lastModifiedTime = ? where id = ?';
    await env.DB.prepare(age).bind(longAgo, id).run();
    expect(await ok('GET', `experiments?tags=${tag}&stale=true`)).toMatchObject([
      { id, isStale: true },
    ]);
    expect(await ok('GET', `experiments?tags=${tag}&stale=false`)).toHaveLength(1);
  });

  test('shows each of 45 experiments once when its links are followed under a filter', async () => {
    const tag = unique('walk');
    await Promise.all(Array.from({ length: 45 }, () => makeExperiment({ tags: [tag] })));
    const seen: string[] = [];
    let next: string | null = `/console/v1/experiments?tags=${tag.replace(' ', '%20')}&limit=7`;
    while (next) {
      const { body } = await call('GET', next);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      next = body.pagination.nextPage;
    }
    expect([seen.length, new Set(seen).size]).toEqual([45, 45]);
  });
});

test('the list of experiments includes archived ones unless excluded', async () => {
  const tags = unique('archived');
  const { id } = await makeExperiment({ tags: [tags] });
  await ok('PUT', `experiments/${id}/archive`);
  const list = (query: string) => ok('GET', `experiments?${new URLSearchParams({ tags })}${query}`);
  expect(await list('')).toHaveLength(1);
  expect(await list('&includeArchived=true')).toHaveLength(1);
  expect(await list('&includeArchived=false')).toEqual([]);
});

describe('an assignment source', () => {
  test('reads back completely, and cannot be deleted while an experiment uses it', async () => {
    const body = {
      name: 'Großes Lager / EU',
      description: 'All',
      tags: ['a'],
      sql: 'select 1',
      timestampColumn: 'ts',
      groupIDColumn: 'g',
      experimentIDColumn: 'e',
      idTypeMapping: [{ serviceUnitID: 'userID', column: 'u' }],
    };
    const created = await call('POST', 'experiments/assignment_sources', { body });
    const location = created.headers.get('Location') ?? '';
    expect(await ok('GET', location)).toMatchObject(body);
    const { id } = await makeExperiment({ assignmentSourceName: body.name });
    expect((await call('DELETE', location)).status).toBe(409);
    await ok('DELETE', `experiments/${id}`);
    await ok('DELETE', location);
  });
});

test('new groups make their first group the control if none is chosen', async () => {
  const { id } = await makeExperiment();
  const groups = ['Old', 'New'].map((name) => ({ name, size: 50 }));
  const after = await ok('PATCH', `experiments/${id}`, { groups });
  expect(after.controlGroupID).toBe(after.groups[0].id);
});

test('an empty environment of an override means all environments', async () => {
  const { id, groups } = await makeExperiment();
  const [one, two] = groups.map((group: { id: string }) => group.id);
  const userIDOverrides = [
    { groupID: one, ids: ['u'] },
    { groupID: two, ids: ['u'], environment: '' },
  ];
  const answer = await call('POST', `experiments/${id}/overrides`, { body: { userIDOverrides } });
  expect(answer.status).toBe(400);
});

describe('an empty text', () => {
  test('for a layer means no layer, returned as null', async () => {
    const { id, layerID } = await makeExperiment({ layerID: '' });
    expect(layerID).toBeNull();
    expect((await ok('PATCH', `experiments/${id}`, { layerID: '' })).layerID).toBeNull();
  });

  test('for the id of a group makes the server generate an id', async () => {
    const groups = ['A', 'B'].map((name) => ({ id: '', name, size: 50 }));
    const made = await makeExperiment({ groups });
    const ids = made.groups.map((group: { id: string }) => group.id);
    expect(new Set(ids).size).toBe(2);
    expect(ids).not.toContain('');
  });
});

describe('groups of an experiment', () => {
  test('are disabled and enabled while it runs', async () => {
    const { id } = await makeExperimentIn('active');
    const disabledOf = ({ groups }: { groups: { disabled: boolean }[] }) =>
      groups.map(({ disabled }) => disabled);
    const to = (name: string, ...groupIDs: string[]) =>
      call('PUT', `experiments/${id}/${name}`, { body: { groupIDs } });
    expect(disabledOf((await to('disable_groups', 'test')).data)).toEqual([false, true]);
    expect((await to('disable_groups', 'control')).status).toBe(409);
    const { groups } = await ok('GET', `experiments/${id}`);
    const enabled = groups.map((group: object) => ({ ...group, disabled: false }));
    const locked = await call('PATCH', `experiments/${id}`, { body: { groups: enabled } });
    expect([locked.status, locked.body.errors?.[0].property]).toEqual([409, 'groups']);
    expect(disabledOf((await to('enable_groups', 'test', 'control')).data)).toEqual([false, false]);
    const { status, body } = await to('disable_groups', 'test', 'other');
    expect([status, body.errors[0].property]).toEqual([400, 'groupIDs.1']);
    await ok('PUT', `experiments/${id}/stop`, { decisionReason: 'R' });
    expect((await to('disable_groups', 'test')).status).toBe(409);
  });
});
