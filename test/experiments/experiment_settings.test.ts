import { describe, expect, test } from 'vitest';
import { call, invalidPropertiesOf, ok } from '../support/client.ts';
import { makeExperiment, unique } from '../support/factories.ts';

const metric = { name: 'orders', type: 'event_count_custom' };
const groups = ['control', 'test'].map((id) => ({ id, name: id, size: 50 }));

/** Each setting beyond the response fields of the contract: a value, and its default. */
const settings: [property: string, value: unknown, unset: unknown][] = [
  ['secondaryIDType', 'companyID', null],
  ['identifierMappingMode', 'firstTouchOneToMany', null],
  ['identityResolutionSource', 'crm', null],
  ['externalEvents', [{ name: 'Outage', timestamp: 1767225600000 }], []],
  ['userBuckets', [0, 999], []],
  ['otherMetrics', [metric], []],
  ['targetExposures', 1000, null],
  ['sequentialTesting', true, false],
  ['bonferroniCorrectionPerMetric', true, false],
  ['benjaminiHochbergPerVariant', true, false],
  ['benjaminiHochbergPerMetric', true, false],
  ['benjaminiPrimaryMetricsOnly', true, false],
  ['defaultRollupWindow', 7, null],
  ['defaultChanceToBeatThreshold', 0.9, null],
  ['bayesianPriors', [{ metric, priorMean: 1, priorStdDev: 0.5 }], []],
  ['assignmentSourceName', 'warehouse', null],
  ['assignmentSourceExperimentName', 'exp_2026', null],
  ['isAnalysisOnly', true, null],
  ['team', 'Checkout', null],
  ['teamID', 't1', null],
  ['allocationDuration', 10, null],
  ['cohortedAnalysisDuration', 7, null],
  ['cohortedMetricsMatureAfterEnd', true, false],
  ['cohortWaitUntilEndToInclude', true, false],
  ['fixedAnalysisDuration', 28, null],
  ['scheduledReloadHour', 23, null],
  ['scheduledReloadType', 'incremental', null],
  ['scheduledReloadDays', [0, 6], null],
  ['turboMode', true, false],
  ['analysisEndTime', '2026-12-31T00:00:00Z', null],
  ['assignmentSourceFilters', [{ column: 'country', condition: 'in', values: ['DE'] }], []],
  ['analyticsType', 'bayesian', 'frequentist'],
  ['defaultSPRTPowerParam', 80, null],
  ['isSidecar', true, false],
  ['preComputedUserDimensions', [{ propertySource: 'crm', name: 'plan' }], []],
  ['cureCovariates', [metric], []],
  [
    'stratifiedSampling',
    { status: 'pending', metric, entityPropertySource: 'crm', csv: 'a' },
    null,
  ],
  ['enabledNonProdEnvironments', ['staging'], []],
  ['controlGroupID', 'test', 'control'],
  [
    'decisionRule',
    [
      { metricID: 'orders::event_count_custom', better: true },
      { metricID: 'revenue::sum', notWorseThan: 2 },
    ],
    [],
  ],
  ['smallestChanges', [{ metricID: 'orders::event_count_custom', percent: 7.7 }], []],
  ['links', [{ url: 'https://wiki.shop.example/exp', title: 'Plan' }], []],
  [
    'manualQualityScores',
    [{ criteriaName: 'R', status: 'PASSED', criteriaDescription: '', score: 1, weight: 100 }],
    [],
  ],
];

describe('a setting', () => {
  test.each(settings)(
    '%s is read back after a creation or update',
    async (property, value, unset) => {
      await call('POST', 'experiments/assignment_sources', { body: { name: 'warehouse' } }); // or it is there
      const tag = unique('setting');
      const [set, plain] = [
        await makeExperiment({ groups, tags: [tag], [property]: value }),
        await makeExperiment({ groups, tags: [tag] }),
      ];
      expect([set[property], plain[property]]).toEqual([value, unset]);
      const patched = await ok('PATCH', `experiments/${plain.id}`, { [property]: value });
      expect([patched[property], patched.version]).toEqual([value, 2]);
      for (const listed of await ok('GET', `experiments?tags=${tag}`))
        expect(listed[property]).toEqual(value);
      for (const { id } of [set, plain])
        expect((await ok('GET', `experiments/${id}`))[property]).toEqual(value);
    },
  );

  const nullable = settings.filter(([, , unset]) => unset === null);

  test.each(nullable)('%s is cleared by null', async (property, value) => {
    await call('POST', 'experiments/assignment_sources', { body: { name: 'warehouse' } });
    const { id } = await makeExperiment({ [property]: value });
    const cleared = await ok('PATCH', `experiments/${id}`, { [property]: null });
    expect([cleared[property], cleared.version]).toEqual([null, 2]);
    expect(await ok('PATCH', `experiments/${id}`, { [property]: null })).toEqual(cleared);
  });

  test('follows the fields of the contract', async () => {
    const { id, ...experiment } = await makeExperiment();
    for (const read of [experiment, await ok('GET', `experiments/${id}`)]) {
      const names = Object.keys(read);
      const last = names.indexOf('lastModifierEmail');
      for (const [property] of settings) expect(names.indexOf(property)).toBeGreaterThan(last);
      expect(names.indexOf('owner')).toBeLessThan(last);
    }
  });
});

describe('a creation', () => {
  test('makes no decision, even if the body contains one', async () => {
    for (const launchedGroupID of ['test', 'x', null])
      expect(await makeExperiment({ groups, launchedGroupID })).toMatchObject({
        launchedGroupID: null,
        status: 'setup',
      });
  });

  const never = ['idType', 'decisionReason', 'layerID', 'assignmentSourceName', 'analyticsType'];

  test.each([...never, 'targetExposures', 'stratifiedSampling', 'controlGroupID'])(
    'refuses null for %s',
    async (property) => {
      const body = { name: 'Null', [property]: null };
      expect(await invalidPropertiesOf('POST', 'experiments', body)).toEqual([property]);
    },
  );

  test.each(['secondaryIDType', 'targetingGateID', 'isAnalysisOnly', 'team', 'teamID'])(
    'accepts null for %s, as the contract requires',
    (property) => makeExperiment({ [property]: null }),
  );
});

describe('the end of an analysis', () => {
  const ending = (analysisEndTime: string) =>
    call('POST', 'experiments', { body: { name: unique('Ending'), analysisEndTime } });

  test.each([
    '2026-02-28',
    '2028-02-29T23:59:59Z',
    '2026-12-31 00:00',
    '2026-12-31T00:00:00+14:00',
  ])('is a day, or a time of one: %s', async (given) =>
    expect((await ending(given)).data.analysisEndTime).toBe(given),
  );

  test.each(['', 'summer 3', '2026-02-29', '2026-02-30T00:00:00Z', '2026-12-31T25:00:00Z'])(
    'must not be another text: %s',
    async (given) => {
      const { status, body } = await ending(given);
      expect([status, body.errors?.[0].property]).toEqual([400, 'analysisEndTime']);
    },
  );
});

describe('quality scores', () => {
  const manual = (name: string, weight = 10) => ({
    criteriaName: name,
    status: 'PASSED',
    criteriaDescription: 'By hand',
    score: 50,
    weight,
  });
  const names = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => manual(`${prefix}${index}`));

  /** A default check with values that only the server sets. */
  const forged = (criteriaName: string, weight = 100) => ({
    ...manual(criteriaName, weight),
    criteriaDescription: 'Trust me',
    score: 99,
  });

  /** The status, score and weight of a default check of a new experiment. */
  const outcome = async (criteriaName: string, body: object) => {
    const experiment = await makeExperiment({
      ...body,
      manualQualityScores: [forged(criteriaName)],
    });
    const [{ status, criteriaDescription, score, weight }] = experiment.manualQualityScores;
    expect(criteriaDescription).not.toBe('Trust me');
    return [status, score, weight];
  };

  const sized = (...sizes: number[]) => sizes.map((size, index) => ({ name: `G${index}`, size }));
  const passed = ['PASSED', 100, 100];
  const failed = ['FAILED', 0, 100];
  const warned = ['WARNING', 50, 100];
  const waiting = ['WAITING', null, 100];

  test.each([
    ['HYPOTHESIS_LENGTH', { hypothesis: '' }, failed],
    ['HYPOTHESIS_LENGTH', { hypothesis: 'More orders' }, warned],
    ['HYPOTHESIS_LENGTH', { hypothesis: 'A green button is seen sooner.' }, passed],
    ['PRIMARY_METRICS_LENGTH', {}, failed],
    ['PRIMARY_METRICS_LENGTH', { primaryMetrics: [metric] }, passed],
    ['PRIMARY_METRICS_LENGTH', { primaryMetrics: Array(5).fill(metric) }, warned],
    ['COMPARISON_CORRECTION', { primaryMetrics: [metric] }, passed],
    ['COMPARISON_CORRECTION', { primaryMetrics: [metric, metric] }, failed],
    ['COMPARISON_CORRECTION', { groups: sized(50, 25, 25) }, failed],
    ['COMPARISON_CORRECTION', { groups: sized(50, 25, 25), bonferroniCorrection: true }, passed],
    [
      'COMPARISON_CORRECTION',
      { groups: sized(50, 25, 25), benjaminiHochbergPerMetric: true },
      passed,
    ],
    ['GUARDRAIL_METRIC_TAGS', { secondaryMetricTags: ['core'] }, failed],
    ['GUARDRAIL_METRIC_TAGS', { secondaryMetricTags: ['Guardrails'] }, passed],
    ['SEQUENTIAL_TESTING', {}, failed],
    ['SEQUENTIAL_TESTING', { sequentialTesting: true }, passed],
    ['SEQUENTIAL_TESTING', { analyticsType: 'sprt' }, passed],
    ['BALANCED_EXPOSURE', {}, waiting],
    ['SUFFICIENT_SAMPLE', {}, waiting],
    ['POWER_ANALYSIS', {}, waiting],
  ])('are the own word of the console for %s of %j', async (name, body, expected) => {
    expect(await outcome(name, body)).toEqual(expected);
  });

  test('of default checks follow the experiment, and only their weight can be set', async () => {
    const { id } = await makeExperiment({ manualQualityScores: [forged('HYPOTHESIS_LENGTH')] });
    const path = `experiments/${id}`;
    const changed = await ok('PATCH', path, { hypothesis: 'A green button is seen sooner.' });
    expect(changed.manualQualityScores).toMatchObject([{ status: 'PASSED', score: 100 }]);
    const body = {
      manualQualityScores: [manual('Reviewed', 50), forged('HYPOTHESIS_LENGTH', 150 / 3)],
    };
    const { manualQualityScores: both, version } = await ok('PATCH', path, body);
    expect(both).toMatchObject([
      { criteriaName: 'HYPOTHESIS_LENGTH', status: 'PASSED', score: 100, weight: 50 },
      manual('Reviewed', 50),
    ]);
    expect(await ok('PATCH', path, { manualQualityScores: both })).toMatchObject({ version });
    const weightOnly = [{ criteriaName: 'HYPOTHESIS_LENGTH', weight: 0 }];
    const left = await ok('PATCH', path, { manualQualityScores: weightOnly });
    expect(left.manualQualityScores).toEqual([manual('Reviewed', 100)]);
  });

  test('can be sent back unchanged, including a waiting one', async () => {
    const scores = [manual('A', 1), manual('B', 1), forged('POWER_ANALYSIS', 1)];
    const created = await makeExperiment({ manualQualityScores: scores });
    const { manualQualityScores } = created;
    expect(await ok('PATCH', `experiments/${created.id}`, { manualQualityScores })).toEqual(
      created,
    );
  });

  test('have a weight of at most 100 in spite of rounding', async () => {
    const { manualQualityScores } = await makeExperiment({
      manualQualityScores: [manual('A', 0.69)], // 0.69 * 100 / 0.69 is above 100
    });
    expect(manualQualityScores).toEqual([manual('A', 100)]);
  });

  test('have weights that sum to 100, and keep weights that already do', async () => {
    const all = Array.from({ length: 9 }, (_, index) => manual(`Of nine ${index}`, 1));
    const { id, manualQualityScores } = await makeExperiment({ manualQualityScores: all });
    expect(await ok('PATCH', `experiments/${id}`, { manualQualityScores })).toMatchObject({
      manualQualityScores,
      version: 1,
    });
    const near = await makeExperiment({
      manualQualityScores: [manual('A', 50), manual('B', 49.75)],
    });
    const sum = near.manualQualityScores[0].weight + near.manualQualityScores[1].weight;
    expect(sum).toBeCloseTo(100, 9);
  });

  test('by hand require all properties', async () => {
    for (const property of ['status', 'criteriaDescription', 'score', 'weight', 'criteriaName']) {
      const manualQualityScores = [{ ...manual('A'), [property]: undefined }];
      expect(
        await invalidPropertiesOf('POST', 'experiments', { name: 'Score', manualQualityScores }),
      ).toEqual([`manualQualityScores.0.${property}`]);
    }
    for (const wrong of [{ status: 'WAITING' }, { score: null }, { score: 101 }]) {
      const manualQualityScores = [{ ...manual('A'), ...wrong }];
      expect(
        await invalidPropertiesOf('POST', 'experiments', { name: 'Score', manualQualityScores }),
      ).toEqual([`manualQualityScores.0.${Object.keys(wrong)[0]}`]);
    }
  });

  test('are at most ten, over any number of updates', async () => {
    const { id } = await makeExperiment({ manualQualityScores: names('a', 6) });
    const path = `experiments/${id}`;
    const more = (count: number) => ({ manualQualityScores: names('b', count) });
    expect(await invalidPropertiesOf('PATCH', path, more(5))).toEqual(['manualQualityScores']);
    await ok('PATCH', path, more(4));
    const ten = await ok('PATCH', path, { manualQualityScores: names('a', 6) });
    expect(await ok('PATCH', path, { manualQualityScores: ten.manualQualityScores })).toEqual(ten);
    const check = { manualQualityScores: [forged('POWER_ANALYSIS')] };
    expect(await invalidPropertiesOf('PATCH', path, check)).toEqual(['manualQualityScores']);
    const one = { manualQualityScores: [manual('one more')] };
    expect(await invalidPropertiesOf('PATCH', path, one)).toEqual(['manualQualityScores']);
    expect(await invalidPropertiesOf('POST', 'experiments', { name: 'Many', ...more(11) })).toEqual(
      ['manualQualityScores'],
    );
  });
});
