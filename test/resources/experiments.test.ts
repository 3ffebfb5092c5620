import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { call, costOf, invalidPropertiesOf, ok } from '../support/client.ts';
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

describe('an experiment', () => {
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

const moves: [name: string, to: string, from: string[], body?: object][] = [
  ['start', 'active', ['setup']],
  ['stop_assignment', 'assignment_stopped', ['active']],
  ['stop', 'experiment_stopped', ['active'], { decisionReason: 'R' }],
  [
    'make_decision',
    'decision_made',
    ['active', 'experiment_stopped', 'assignment_stopped'],
    { id: 'test', decisionReason: 'R' },
  ],
  [
    'abandon',
    'abandoned',
    ['active', 'experiment_stopped', 'assignment_stopped'],
    { decisionReason: 'R' },
  ],
  [
    'reset',
    'setup',
    ['active', 'experiment_stopped', 'assignment_stopped', 'decision_made', 'abandoned'],
  ],
  [
    'archive',
    'archived',
    ['setup', 'experiment_stopped', 'assignment_stopped', 'decision_made', 'abandoned', 'archived'],
  ],
  ['unarchive', 'setup', ['archived']],
];
const statuses = [
  'setup',
  'active',
  'assignment_stopped',
  'experiment_stopped',
  'decision_made',
  'abandoned',
  'archived',
];
const jumps = moves.flatMap(([name, to, from, body]) =>
  statuses.map((status): [string, string, string | undefined, object | undefined] => [
    name,
    status,
    from.includes(status) ? to : undefined,
    body,
  ]),
);

describe('the lifecycle of an experiment', () => {
  test.each(jumps)('%s from %s leads to %s', async (name, status, to, body) => {
    const { id } = await makeExperimentIn(status);
    const before = await ok('GET', `experiments/${id}`);
    const answer = await call('PUT', `experiments/${id}/${name}`, { body });
    const after = await ok('GET', `experiments/${id}`);
    expect(answer.status).toBe(to ? 200 : 409);
    if (to) expect(after.status).toBe(to);
    else {
      expect(answer.body.message).toContain(status);
      expect(after).toEqual(before);
    }
  });

  const updates = moves
    .filter(([name]) => name !== 'unarchive')
    .flatMap(([, to, from]) =>
      statuses
        .filter((status) => status !== to)
        .map((status): [string, string, boolean] => [
          to,
          status,
          from.includes(status) || (status === 'archived' && to === 'setup'),
        ]),
    );

  test.each(updates)('an update of status to %s from %s: %s', async (to, status, allowed) => {
    const { id } = await makeExperimentIn(status);
    const before = await ok('GET', `experiments/${id}`);
    const launchedGroupID = to === 'decision_made' ? 'test' : undefined;
    const body = { status: to, launchedGroupID, decisionReason: 'R' };
    const answer = await call('PATCH', `experiments/${id}`, { body });
    const after = await ok('GET', `experiments/${id}`);
    expect(answer.status).toBe(allowed ? 200 : 409);
    expect(after).toEqual(allowed ? expect.objectContaining({ status: to }) : before);
  });

  test('sets and clears times and decisions', async () => {
    const { id } = await makeExperimentIn('active');
    const read = () => ok('GET', `experiments/${id}`);
    expect(await read()).toMatchObject({ startTime: expect.any(Number), endTime: null });
    const decision = { id: 'test', decisionReason: 'Sold more.' };
    await ok('PUT', `experiments/${id}/make_decision`, decision);
    expect(await read()).toMatchObject({
      launchedGroupID: 'test',
      decisionReason: 'Sold more.',
      decisionTime: expect.any(Number),
      endTime: expect.any(Number),
    });
    await ok('PUT', `experiments/${id}/reset`);
    const cleared = { startTime: null, endTime: null, decisionTime: null, launchedGroupID: null };
    expect(await read()).toMatchObject({ ...cleared, decisionReason: null, status: 'setup' });
  });

  test('allows a decision for a group of the experiment, with a reason, and can remove the targeting', async () => {
    const gate = await makeGate();
    const { id } = await makeExperimentIn('setup');
    await ok('PATCH', `experiments/${id}`, { targetingGateID: gate.id });
    await ok('PUT', `experiments/${id}/start`);
    const path = `experiments/${id}/make_decision`;
    expect(await invalidPropertiesOf('PUT', path, { id: 'other', decisionReason: 'R' })).toEqual([
      'id',
    ]);
    await ok('PUT', path, { id: 'test', decisionReason: 'R', removeTargeting: true });
    expect(await ok('GET', `experiments/${id}`)).toMatchObject({ targetingGateID: '' });
    await ok('DELETE', `gates/${gate.id}`);
  });

  test('returns from the archive to the previous status', async () => {
    for (const status of ['setup', 'experiment_stopped', 'decision_made', 'abandoned']) {
      const { id } = await makeExperimentIn(status);
      await ok('PUT', `experiments/${id}/archive`);
      expect(await ok('PUT', `experiments/${id}/unarchive`)).toMatchObject({ status });
    }
  });

  test('requires a group for an update to decision_made', async () => {
    const { id } = await makeExperimentIn('active');
    const path = `experiments/${id}`;
    expect(await invalidPropertiesOf('PATCH', path, { status: 'decision_made' })).toEqual([
      'launchedGroupID',
    ]);
    const body = { status: 'decision_made', launchedGroupID: 'test' };
    await ok('PATCH', path, { ...body, decisionReason: 'R' });
  });

  test('allows a decision without a reason, which is then empty', async () => {
    const decided = { launchedGroupID: 'test', decisionReason: '' };
    const { id } = await makeExperimentIn('experiment_stopped');
    expect(await ok('PUT', `experiments/${id}/make_decision`, { id: 'test' })).toMatchObject(
      decided,
    );
    const { id: other } = await makeExperimentIn('experiment_stopped');
    const body = { status: 'decision_made', launchedGroupID: 'test' };
    expect(await ok('PATCH', `experiments/${other}`, body)).toMatchObject(decided);
    await ok('PATCH', `experiments/${other}`, { decisionReason: 'Said later.' });
    const emptied = await call('PATCH', `experiments/${other}`, { body: { decisionReason: '' } });
    expect(emptied.status).toBe(409);
  });

  test('refuses a second start', async () => {
    const { id } = await makeExperimentIn('active');
    const { status, body } = await call('PUT', `experiments/${id}/start`);
    expect([status, body.message]).toEqual([409, expect.stringContaining('has already started')]);
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

describe('a decision', () => {
  const errorsOf = async (id: string, body: object) => {
    const answer = await call('PATCH', `experiments/${id}`, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(409);
    return answer.body.errors.map(({ property }: { property: string }) => property);
  };

  test('keeps its group and its reason until it is reset, in the archive too', async () => {
    const { id } = await makeExperimentIn('decision_made');
    const refuseEmptying = async () => {
      expect(await errorsOf(id, { launchedGroupID: null })).toEqual(['launchedGroupID']);
      for (const decisionReason of [null, '', ' '])
        expect(await errorsOf(id, { decisionReason })).toEqual(['decisionReason']);
    };
    await refuseEmptying();
    await ok('PATCH', `experiments/${id}`, { decisionReason: 'Sold 3 % more.' });
    await ok('PUT', `experiments/${id}/archive`);
    await refuseEmptying();
    await ok('PUT', `experiments/${id}/unarchive`);
    const reset = { status: 'setup', launchedGroupID: null, decisionReason: null };
    expect(await ok('PATCH', `experiments/${id}`, reset)).toMatchObject(reset);
  });

  test.each(statuses.filter((status) => status !== 'decision_made'))(
    'is missing in %s, where no group can be launched',
    async (status) => {
      const { id } = await makeExperimentIn(status);
      expect(await errorsOf(id, { launchedGroupID: 'test' })).toEqual(['launchedGroupID']);
      await ok('PATCH', `experiments/${id}`, { launchedGroupID: null });
    },
  );

  test.each(['decision_made', 'archived'])('is refused in a reset from %s', async (status) => {
    const { id } = await makeExperimentIn('decision_made');
    if (status === 'archived') await ok('PUT', `experiments/${id}/archive`);
    const before = await ok('GET', `experiments/${id}`);
    for (const method of ['PATCH', 'POST'])
      for (const launchedGroupID of ['test', 'control']) {
        const body = { status: 'setup', launchedGroupID };
        expect((await call(method, `experiments/${id}`, { body })).status).toBe(409);
      }
    expect(await ok('GET', `experiments/${id}`)).toEqual(before);
  });

  test.each([
    ['experiment_stopped', ['decisionReason']],
    ['abandoned', ['decisionReason']],
    ['decision_made', ['launchedGroupID']],
  ])('to be %s needs what the operation needs, said anew', async (status, needed) => {
    const { id } = await makeExperimentIn('active');
    const path = `experiments/${id}`;
    await ok('PATCH', path, { decisionReason: 'From before.' });
    const given = { launchedGroupID: 'test', decisionReason: 'R' };
    const body = Object.fromEntries(
      Object.entries(given).filter(([property]) => needed.includes(property)),
    );
    for (const property of needed)
      for (const empty of [undefined, null, ' '])
        expect(
          await invalidPropertiesOf('PATCH', path, { status, ...body, [property]: empty }),
        ).toEqual([property]);
    expect(await ok('PATCH', path, { status, ...body })).toMatchObject({ status, ...body });
  });

  test('has a reason that is not blank', async () => {
    const { id } = await makeExperimentIn('active');
    for (const name of ['stop', 'abandon'])
      expect(
        await invalidPropertiesOf('PUT', `experiments/${id}/${name}`, {
          id: 'test',
          decisionReason: ' ',
        }),
      ).toEqual(['decisionReason']);
  });
});

describe('a started experiment', () => {
  test.each([
    ['inlineTargetingRulesJSON', { inlineTargetingRulesJSON: '[ ]' }],
    ['userBuckets', { userBuckets: [1] }],
    ['controlGroupID', { controlGroupID: 'test' }],
    ['experimentType', { experimentType: 'GEO' }],
    ['isAnalysisOnly', { isAnalysisOnly: true }],
    [
      'groups',
      {
        groups: [
          { id: 'control', name: 'control', size: 20 },
          { id: 'test', name: 'test', size: 80 },
        ],
      },
    ],
    [
      'groups',
      {
        groups: [
          { id: 'control', name: 'control', size: 50, parameterValues: { a: 1 } },
          { id: 'test', name: 'test', size: 50 },
        ],
      },
    ],
    ['idType', { idType: 'companyID' }],
  ])('locks %s', async (property, body) => {
    const { id } = await makeExperimentIn('active');
    const answer = await call('PATCH', `experiments/${id}`, { body });
    expect([answer.status, answer.body.errors[0].property]).toEqual([409, property]);
    expect(await ok('GET', `experiments/${id}`)).toMatchObject({ version: 2 });
  });

  test('accepts its own groups unchanged, with any parameter names', async () => {
    const parameterValues = { constructor: { a: 1 } };
    const { id } = await makeExperiment({ groups: [{ name: 'All', size: 100, parameterValues }] });
    const started = await ok('PUT', `experiments/${id}/start`);
    const { version } = await ok('PATCH', `experiments/${id}`, { groups: started.groups });
    expect(version).toBe(2);
  });

  test('locks the source of its assignments against any operation', async () => {
    const { name: source } = await ok('POST', 'experiments/assignment_sources', {
      name: unique('Source'),
    });
    const { id } = await makeExperimentIn('setup');
    const path = `experiments/${id}`;
    await ok('PATCH', path, { assignmentSourceName: source });
    const { name } = await ok('PUT', `${path}/start`);
    const fault = async (method: string, body?: object, at = path) => {
      const answer = await call(method, at, { body });
      return [answer.status, answer.body.errors?.[0].property];
    };
    const locked = [409, 'assignmentSourceName'];
    expect(await fault('PATCH', { assignmentSourceName: null })).toEqual(locked);
    await ok('POST', path, { name });
    expect((await ok('GET', path)).assignmentSourceName).toBe(source);
    const { id: other } = await makeExperimentIn('active');
    const open = `experiments/${other}`;
    expect(await fault('PATCH', { assignmentSourceName: source }, open)).toEqual(locked);
  });

  test('rejects restoring an archived version while it runs', async () => {
    const { id } = await makeExperimentIn('setup');
    const path = `experiments/${id}`;
    for (const move of ['archive', 'unarchive', 'start']) await ok('PUT', `${path}/${move}`);
    const answer = await call('PUT', `${path}/versions/2/restore`);
    expect([answer.status, answer.body.errors?.[0].property]).toEqual([409, 'startTime']);
  });

  test('stays locked in every status except setup', async () => {
    for (const status of ['assignment_stopped', 'decision_made', 'archived']) {
      const { id } = await makeExperimentIn('active');
      const reason = { decisionReason: 'R' };
      if (status === 'assignment_stopped') await ok('PUT', `experiments/${id}/stop_assignment`);
      else await ok('PUT', `experiments/${id}/make_decision`, { id: 'test', ...reason });
      if (status === 'archived') await ok('PUT', `experiments/${id}/archive`);
      const answer = await call('PATCH', `experiments/${id}`, { body: { userBuckets: [1] } });
      expect([answer.status, answer.body.errors[0].property]).toEqual([409, 'userBuckets']);
      await ok('PATCH', `experiments/${id}`, { userBuckets: [], isAnalysisOnly: null });
    }
    const { id } = await makeExperimentIn('active');
    await ok('PATCH', `experiments/${id}`, { status: 'setup', userBuckets: [1] });
  });

  test('locks its decision rule and its smallest changes until a reset', async () => {
    const metricID = 'orders::event_count_custom';
    const plan = {
      decisionRule: [{ metricID, better: true as const }],
      smallestChanges: [{ metricID, percent: 5 }],
    };
    const { id } = await makeExperiment(plan);
    const path = `experiments/${id}`;
    await ok('PUT', `${path}/start`);
    for (const property of Object.keys(plan)) {
      const answer = await call('PATCH', path, { body: { [property]: [] } });
      expect([answer.status, answer.body.errors[0].property]).toEqual([409, property]);
    }
    await ok('PATCH', path, plan);
    expect(await ok('POST', path, { name: 'Planned' })).toMatchObject(plan);
    expect((await ok('GET', `${path}/versions/2`)).snapshot).toMatchObject(plan);
    await ok('PUT', `${path}/reset`);
    const changed = { decisionRule: [], smallestChanges: [{ metricID, percent: 4 }] };
    expect(await ok('PATCH', path, changed)).toMatchObject(changed);
    const { changes } = (await ok('GET', `${path}/versions?limit=1`))[0];
    expect(changes.map(({ property }: { property: string }) => property)).toEqual(
      expect.arrayContaining(['decisionRule', 'smallestChanges']),
    );
  });

  test('rejects restoring locked properties while it runs again', async () => {
    const { id } = await makeExperimentIn('active');
    const path = `experiments/${id}`;
    await ok('PUT', `${path}/reset`);
    await ok('PATCH', path, { idType: 'companyID' });
    await ok('PUT', `${path}/start`);
    const before = await ok('GET', path);
    const answer = await call('PUT', `${path}/versions/2/restore`);
    expect([answer.status, answer.body.errors[0].property]).toEqual([409, 'idType']);
    expect(await ok('GET', path)).toEqual(before);
    await ok('PATCH', path, { description: 'Later.' });
    expect(await ok('PUT', `${path}/versions/5/restore`)).toMatchObject({
      description: before.description,
      status: 'active',
    });
    expect(await ok('PUT', `${path}/versions/1/restore`)).toMatchObject({
      idType: 'userID',
      status: 'setup',
    });
  });

  test('rejects restoring an earlier run while it runs again', async () => {
    const { id } = await makeExperimentIn('active');
    const path = `experiments/${id}`;
    await ok('PUT', `${path}/reset`);
    await vi.waitFor(async () => {
      const { startTime } = (await ok('GET', `${path}/versions/2`)).snapshot;
      expect(Date.now()).toBeGreaterThan(startTime);
    });
    const { startTime } = await ok('PUT', `${path}/start`);
    const answer = await call('PUT', `${path}/versions/2/restore`);
    expect([answer.status, answer.body.errors?.[0].property]).toEqual([409, 'startTime']);
    expect(await ok('GET', path)).toMatchObject({ version: 4, startTime });
    await ok('PUT', `${path}/stop`, { decisionReason: 'R' });
    const again = await ok('PUT', `${path}/versions/4/restore`);
    expect(again).toMatchObject({ status: 'active', startTime });
  });

  test('can return to an earlier run if it was archived after its reset', async () => {
    const { id } = await makeExperimentIn('active');
    const path = `experiments/${id}`;
    for (const move of ['reset', 'archive']) await ok('PUT', `${path}/${move}`);
    expect(await ok('PUT', `${path}/versions/2/restore`)).toMatchObject({ status: 'active' });
  });

  test('is deleted only with force', async () => {
    const { id } = await makeExperimentIn('active');
    for (const query of ['', '?force=false']) {
      const refused = await call('DELETE', `experiments/${id}${query}`);
      expect([refused.status, refused.body.type]).toEqual([409, '/problems/transition']);
      expect(refused.body.message).toContain('force=true');
    }
    expect((await call('DELETE', `experiments/${id}?force=yes`)).status).toBe(400);
    await ok('DELETE', `experiments/${id}?force=true`);
    expect((await call('GET', `experiments/${id}`)).status).toBe(404);
    for (const status of ['setup', 'experiment_stopped', 'decision_made', 'archived']) {
      const other = await makeExperimentIn(status);
      await ok('DELETE', `experiments/${other.id}`);
    }
  });

  test('locks its targeting gate and its layer', async () => {
    const { id } = await makeExperimentIn('active');
    const gate = await makeGate();
    const layer = await makeLayer();
    for (const body of [{ targetingGateID: gate.id }, { layerID: layer.id }]) {
      const answer = await call('PATCH', `experiments/${id}`, { body });
      expect([answer.status, answer.body.errors[0].property]).toEqual([409, Object.keys(body)[0]]);
    }
  });

  test('accepts its own response as an update, and changes of unlocked properties', async () => {
    const { id } = await makeExperimentIn('active');
    const read = await ok('GET', `experiments/${id}`);
    expect(await ok('PATCH', `experiments/${id}`, read)).toMatchObject({ version: read.version });
    const change = { name: 'Renamed', hypothesis: 'H', tags: ['t'], primaryMetrics: [metric] };
    expect(await ok('PATCH', `experiments/${id}`, { ...read, ...change })).toMatchObject(change);
    const { changes } = await ok('GET', `experiments/${id}/versions/${read.version + 1}`);
    const changed = changes.map(({ property }: { property: string }) => property);
    expect(changed.toSorted()).toEqual(Object.keys(change).toSorted());
  });
});

test('the refusal of a locked change names the way out: reset, or unarchive if archived', async () => {
  for (const [status, way] of [
    ['active', 'reset'],
    ['archived', 'unarchive'],
  ] as const) {
    const { id } = await makeExperimentIn(status);
    const { body } = await call('PATCH', `experiments/${id}`, { body: { idType: 'stableID' } });
    expect(body.message).toContain(`status ${status}; ${way} it first.`);
    expect((await call('PUT', `experiments/${id}/${way}`)).status).toBe(200);
  }
});

describe('restart as new', () => {
  test('copies everything except ids, times, status, decision and overrides, from any status', async () => {
    for (const status of ['active', 'decision_made', 'archived']) {
      const original = await makeExperimentIn(status);
      const body = { userIDOverrides: [{ groupID: 'test', ids: ['u'] }] };
      await ok('POST', `experiments/${original.id}/overrides`, body);
      const before = await ok('GET', `experiments/${original.id}`);
      const name = unique('Restarted');
      const answer = await call('POST', `experiments/${original.id}/restart_as_new`, {
        body: { name },
      });
      expect(answer.headers.get('Location')).toBe(`/console/v1/experiments/${answer.data.id}`);
      expect(answer.data).toMatchObject({ status: 'setup', startTime: null, version: 1 });
      expect(answer.data.groups).toMatchObject([{ name: 'control' }, { name: 'test' }]);
      expect(answer.data.groups[0].id).not.toBe('control');
      const overrides = await ok('GET', `experiments/${answer.data.id}/overrides`);
      expect(overrides).toEqual({ overrides: [], userIDOverrides: [] });
      expect(await ok('GET', `experiments/${original.id}`)).toEqual(before);
    }
  });
});

describe('the id of a restarted experiment', () => {
  const restart = (id: string, name: string) =>
    call('POST', `experiments/${id}/restart_as_new`, { body: { name } });

  test('gets a suffix if its name is taken, without more round trips', async () => {
    const original = await makeExperiment();
    const first = await restart(original.id, original.name);
    expect([first.status, first.data.id]).toEqual([200, `${original.id}_2`]);
    expect(first.headers.get('Location')).toBe(`/console/v1/experiments/${original.id}_2`);
    expect((await restart(original.id, original.name)).data.id).toBe(`${original.id}_3`);
    expect((await restart(original.id, unique('New name'))).data.id).not.toContain(original.id);
    expect(costOf(first).trips).toBe(2);
  });

  test('is free after any number of earlier restarts', async () => {
    const original = await makeExperiment();
    for (let count = 2; count <= 12; count++)
      expect((await restart(original.id, original.name)).data.id).toBe(`${original.id}_${count}`);
  });

  test('also differs from the ids of configs and autotunes', async () => {
    const original = await makeExperiment();
    const name = unique('Shared');
    const { id } = await ok('POST', 'dynamic_configs', { name });
    await ok('POST', 'dynamic_configs', { name: `${name} 2`, id: `${id}_2` });
    const answer = await restart(original.id, name);
    expect([answer.status, answer.data?.id, costOf(answer).trips]).toEqual([200, `${id}_3`, 2]);
  });

  test('is free again after a deletion, and its version numbers continue', async () => {
    const original = await makeExperiment();
    await restart(original.id, original.name);
    await ok('DELETE', `experiments/${original.id}_2`);
    const again = await restart(original.id, original.name);
    expect(again.data).toMatchObject({ id: `${original.id}_2`, version: 3 });
  });

  test('has at most 100 characters, and differs for two concurrent restarts', async () => {
    const name = 'n'.repeat(100);
    const original = await makeExperiment({ name });
    const both = await Promise.all([1, 2].map(() => restart(original.id, name)));
    const made = both.map(({ data }) => data.id).toSorted();
    expect(made).toEqual([2, 3].map((number) => `${'n'.repeat(98)}_${number}`));
  });

  test('is stored with the id of the original', async () => {
    const original = await makeExperiment();
    expect(original.restartedFrom).toBeNull();
    const { data } = await restart(original.id, unique('Again'));
    expect(data.restartedFrom).toBe(original.id);
    const changes = { restartedFrom: 'x', tags: ['a'] };
    const patched = await ok('PATCH', `experiments/${data.id}`, changes);
    expect(patched.restartedFrom).toBe(original.id);
  });
});

describe('the overrides of an experiment', () => {
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

  test('shows each of 250 experiments once when its links are followed under a filter', async () => {
    const tag = unique('walk');
    const bodies = Array.from({ length: 250 }, () => ({ tags: [tag] }));
    for (let start = 0; start < 250; start += 50)
      await Promise.all(bodies.slice(start, start + 50).map((body) => makeExperiment(body)));
    const seen: string[] = [];
    let next: string | null = `/console/v1/experiments?tags=${tag.replace(' ', '%20')}&limit=30`;
    while (next) {
      const { body } = await call('GET', next);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      next = body.pagination.nextPage;
    }
    expect([seen.length, new Set(seen).size]).toEqual([250, 250]);
  }, 20_000);
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

test('a reset removes a salt, and changes nothing else', async () => {
  const changedBy = async (more: Record<string, unknown>) => {
    const { id } = await makeExperiment(more);
    await ok('PUT', `experiments/${id}/start`);
    await ok('PUT', `experiments/${id}/reset`);
    const [{ changes }] = await ok('GET', `experiments/${id}/versions`);
    return changes.map(({ property }: { property: string }) => property).sort();
  };
  const always = ['allocatedBuckets', 'startTime', 'status'];
  expect(await changedBy({})).toEqual(always);
  expect(await changedBy({ salt: 'moved' })).toEqual([
    'allocatedBuckets',
    'salt',
    'startTime',
    'status',
  ]);
});

describe('the start of an experiment', () => {
  const start = async (startTime: unknown) => {
    const { id } = await makeExperiment();
    const answer = await call('PUT', `experiments/${id}/start`, { body: { startTime } });
    return { id, answer };
  };

  test.each([
    [1_772_928_000_000, 1_772_928_000_000],
    ['2026-03-08T00:00:00Z', 1_772_928_000_000],
    ['2026-03-08T01:30:00.250+01:30', 1_772_928_000_250],
    [Date.UTC(2000), Date.UTC(2000)],
    ['2000-01-01T00:00:00Z', Date.UTC(2000)],
  ])('can be the earlier time %s', async (given, startTime) => {
    const { id, answer } = await start(given);
    expect(answer.data).toMatchObject({ startTime, status: 'active', scheduledStartTime: null });
    const exposure = { kind: 'experiment', id, group: 'Test', unitType: 'userID', unit: 'u-1' };
    await ok('POST', 'exposures', { exposures: [{ ...exposure, time: 1000 }] });
    const stored = env.DB.prepare('select start, firstTime from exposures where id = ?').bind(id);
    expect(await stored.first()).toEqual({ start: startTime, firstTime: 1000 });
  });

  test.each([
    Date.UTC(2000) - 1,
    '1999-12-31T23:59:59Z',
    '2000-01-01T00:00:00+01:00',
    Date.now() + 3_600_000,
    '2126-01-01T00:00:00Z',
    '2026-03-08T00:00:00',
    '2026-03-08',
    '1772928000000',
    1_772_928_000_000.5,
    null,
    {},
  ])('cannot be %j: 400 names startTime', async (startTime) => {
    const { id, answer } = await start(startTime);
    const properties = answer.body.errors?.map(({ property }: { property: string }) => property);
    expect([answer.status, properties]).toEqual([400, ['startTime']]);
    expect(await ok('GET', `experiments/${id}`)).toMatchObject({ status: 'setup', version: 1 });
  });

  test('is now without a time', async () => {
    for (const options of [{}, { body: {} }]) {
      const { id } = await makeExperiment();
      const before = Date.now();
      const { data } = await call('PUT', `experiments/${id}/start`, options);
      expect(data.startTime).toBeGreaterThanOrEqual(before);
      expect(data.startTime).toBeLessThanOrEqual(Date.now());
    }
  });
});

describe('the stop of an assignment', () => {
  const stopTimeOf = async (id: string) => {
    const { version } = await ok('GET', `experiments/${id}`);
    return (await ok('GET', `experiments/${id}/versions/${version}`)).snapshot.assignmentStopTime;
  };

  const stopBy = {
    stop_assignment: (id: string) => ok('PUT', `experiments/${id}/stop_assignment`),
    'an update of status': (id: string) =>
      ok('PATCH', `experiments/${id}`, { status: 'assignment_stopped' }),
  };

  test.each(Object.entries(stopBy))(
    'by %s keeps its time until a reset, outside of responses',
    async (_, stop) => {
      const { id } = await makeExperimentIn('active');
      expect(await stopTimeOf(id)).toBeUndefined();
      const stopped = await stop(id);
      expect(stopped).not.toHaveProperty('assignmentStopTime');
      expect(await stopTimeOf(id)).toBe(stopped.lastModifiedTime);
      await ok('PATCH', `experiments/${id}`, { hypothesis: 'Another.' });
      await ok('PUT', `experiments/${id}/make_decision`, { id: 'test' });
      expect(await stopTimeOf(id)).toBe(stopped.lastModifiedTime);
      await ok('PUT', `experiments/${id}/reset`);
      expect(await stopTimeOf(id)).toBeNull();
    },
  );

  test('is not copied by a restart as new', async () => {
    const { id } = await makeExperimentIn('assignment_stopped');
    const copy = await ok('POST', `experiments/${id}/restart_as_new`, { name: 'Once again' });
    expect(await stopTimeOf(copy.id)).toBeUndefined();
  });
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
