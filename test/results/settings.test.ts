import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { analyze } from '../../src/analysis/schedule/analyze.ts';
import { analysisSettingsOf } from '../../src/experiments/experiments/analysis.ts';
import { experimentPatch } from '../../src/experiments/experiments/schema.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { unusedSettings } from '../../src/results/scorecard/rules/warnings.ts';
import { ok } from '../support/client.ts';
import { unique } from '../support/factories.ts';

const dayLength = 86_400_000;
const start = Date.parse('2026-01-10T00:00:00Z');

const units = Array.from({ length: 360 }, (_, index) => ({
  unit: `u-${index}`,
  group: ['control', 'test', 'other'][index % 3] ?? '',
  time: start + index * 60_000,
}));

const metrics = {
  spent: { name: 'Spent', type: 'sum' },
  visits: { name: 'Visits', type: 'event_count_custom' },
};

type Settings = Record<string, unknown>;

const usual: Settings = {
  primaryMetrics: [{ ...metrics.spent, hypothesizedValue: 10 }],
  secondaryMetrics: [metrics.visits],
  duration: 14,
  groups: ['control', 'test', 'other'].map((name, index) => ({
    ...{ name, id: name },
    size: index === 0 ? 33.34 : 33.33,
  })),
};

async function load(now: number) {
  for (let runs = 0; runs < 4; runs++) {
    const db = openDatabase(env.DB, 'first-primary');
    await analyze({ db, now, left: () => ({ trips: 200 - db.meter.trips, ms: 10_000 }) });
  }
}

/** Creates an experiment, loads its first two days, and returns its results without what differs by chance. */
async function resultsWith(settings: Settings) {
  const { id } = await ok('POST', 'experiments', {
    ...usual,
    ...settings,
    name: unique('Setting'),
  });
  await ok('PUT', `experiments/${id}/start`, { startTime: start });
  const unitType = typeof settings.idType === 'string' ? settings.idType : 'userID';
  await ok('POST', 'exposures', {
    exposures: units.map((unit) => ({ kind: 'experiment', id, unitType, ...unit })),
  });
  await load(start + 2 * dayLength + 7_200_000);
  const data = await ok('GET', `experiments/${id}/pulse_results?control=control&test=test`);
  const { loadedTime: _, ...results } = data;
  return results;
}

/** Settings that change the results when they are read, each with the settings that it needs. */
const changing: Record<string, { value: unknown; with?: Settings }> = {
  primaryMetrics: { value: [] },
  secondaryMetrics: { value: [] },
  otherMetrics: { value: [metrics.visits], with: { secondaryMetrics: [] } },
  groups: {
    value: ['control', 'test', 'other'].map((name, index) => ({
      ...{ name, id: name, size: [50, 30, 20][index] },
    })),
  },
  idType: { value: 'companyID' },
  allocation: { value: 50 },
  duration: { value: 2 },
  targetExposures: { value: 1000 },
  defaultConfidenceInterval: { value: '80' },
  sequentialTesting: { value: true },
  analyticsType: { value: 'bayesian' },
  defaultChanceToBeatThreshold: { value: 50.01, with: { analyticsType: 'bayesian' } },
  bayesianPriors: { value: [{ metric: metrics.spent, priorMean: 0.5, priorStdDev: 0.1 }] },
  defaultSPRTPowerParam: { value: 0.9, with: { analyticsType: 'sprt' } },
  bonferroniCorrection: { value: true },
  bonferroniCorrectionPerMetric: { value: true },
  benjaminiHochbergPerVariant: { value: true },
  benjaminiHochbergPerMetric: { value: true },
  benjaminiPrimaryMetricsOnly: { value: true, with: { benjaminiHochbergPerMetric: true } },
  defaultRollupWindow: { value: 1 },
};

/** Settings that change what is loaded. */
const loading: Settings = {
  cohortedAnalysisDuration: 2,
  cohortWaitUntilEndToInclude: true,
  cohortedMetricsMatureAfterEnd: true,
  fixedAnalysisDuration: 2,
  analysisEndTime: '2026-01-11T00:00:00Z',
  preComputedUserDimensions: [{ name: 'country' }],
  primaryMetricTags: ['core'],
  secondaryMetricTags: ['core'],
};

/** Settings that results do not use, which they list. */
const unused: Settings = {
  secondaryIDType: 'stableID',
  identifierMappingMode: 'strictOneToOne',
  identityResolutionSource: 'source',
  stratifiedSampling: { status: 'success' },
  cureCovariates: [metrics.visits],
  assignmentSourceFilters: [{ column: 'country', condition: '=', values: ['NZ'] }],
  turboMode: true,
  scheduledReloadType: 'full',
  scheduledReloadHour: 0,
  scheduledReloadDays: [1],
};

/** Settings about other things: names, ownership, assignment, the lifecycle, notes. */
const apart = new Set([
  ...['name', 'description', 'hypothesis', 'links', 'tags', 'team', 'teamID', 'targetApps'],
  ...['creatorID', 'creatorEmail', 'experimentType', 'isSidecar', 'manualQualityScores', 'salt'],
  ...['layerID', 'targetingGateID', 'inlineTargetingRulesJSON', 'enabledNonProdEnvironments'],
  ...['userBuckets', 'allocationDuration', 'isAnalysisOnly', 'assignmentSourceName'],
  ...['assignmentSourceExperimentName', 'status', 'launchedGroupID', 'decisionReason'],
  ...['externalEvents', 'decisionRule', 'smallestChanges'],
  // A request names the control group.
  'controlGroupID',
]);

describe('each setting of an experiment', () => {
  let before: Promise<unknown>;

  beforeAll(async () => {
    await ok('POST', 'metrics', {
      ...metrics.spent,
      metricEvents: [{ name: 'purchase', type: 'value' }],
    });
    await ok('POST', 'metrics', { ...metrics.visits, metricEvents: [{ name: 'visit' }] });
    const events = units.flatMap(({ unit, time }, index) => [
      {
        name: 'purchase',
        userID: unit,
        timestamp: time + 1000,
        value: 5 + (index % 3) + (index % 17),
      },
      { name: 'visit', userID: unit, timestamp: time + dayLength },
      ...(index % 3 === 1 && index % 2 === 1
        ? [{ name: 'visit', userID: unit, timestamp: time + dayLength + 1 }]
        : []),
    ]);
    await ok('POST', 'events', { events });
    before = resultsWith({});
  });

  test('changes the results, is listed as not used, or is about something else', () => {
    const known = [changing, loading, unused].flatMap((list) => Object.keys(list));
    const settings = Object.keys(experimentPatch.shape);
    expect(settings.filter((name) => !known.includes(name) && !apart.has(name))).toEqual([]);
    expect(known.filter((name) => apart.has(name))).toEqual([]);
  });

  test.each(Object.entries(changing))('%s changes the results', async (name, given) => {
    const base = given.with ? await resultsWith(given.with) : await before;
    expect(await resultsWith({ ...given.with, [name]: given.value })).not.toEqual(base);
  });

  test.each(Object.entries(loading))('%s changes what is loaded', async (name, value) => {
    const cohort = name.startsWith('cohort') ? { cohortedAnalysisDuration: 3 } : {};
    const { id } = await ok('POST', 'experiments', { ...usual, ...cohort, name: unique('Load') });
    const plain = await ok('GET', `experiments/${id}`);
    expect(analysisSettingsOf({ ...plain, [name]: value })).not.toEqual(analysisSettingsOf(plain));
  });

  test('that is not used is listed in the warnings', async () => {
    for (const [name, value] of Object.entries(unused)) {
      const { warnings } = await resultsWith({ [name]: value });
      expect(warnings, name).toEqual([`not_used: ${name}`]);
    }
    const [experiment] = await ok('GET', 'experiments');
    const warehouse = { ...experiment, defaultRollupWindow: 30 };
    expect(unusedSettings(warehouse)).toContain('not_used: defaultRollupWindow');
    expect(await before).toMatchObject({ ds: '2026-01-11', warnings: [] });
  });

  test('the summary and the series of a sequential probability ratio test have its verdict', async () => {
    const { primaryMetrics } = await resultsWith({ id: 'ratio_test', analyticsType: 'sprt' });
    expect(primaryMetrics[0]).toMatchObject({
      reason: null,
      sprt: { decision: expect.any(String) },
    });
    const [{ metric }] = await ok('GET', 'experiments/pulse_summaries?ids=ratio_test');
    expect(metric).toEqual(primaryMetrics[0]);
  });

  test('the results of the last day name a metric that does not count its events yet', async () => {
    const baked = { name: 'Spent at least a day ago', type: 'event_count_custom' };
    await ok('POST', 'metrics', {
      ...baked,
      metricEvents: [{ name: 'purchase' }],
      warehouseNative: { metricBakeDays: 1 },
    });
    const primaryMetrics = [baked];
    const [whole] = (await resultsWith({ primaryMetrics })).primaryMetrics;
    expect(whole.testMean).toBeGreaterThan(0);
    const [ofDay] = (await resultsWith({ primaryMetrics, defaultRollupWindow: 1 })).primaryMetrics;
    expect(ofDay).toMatchObject({
      testMean: null,
      significant: false,
      reason: 'not_computable',
      reasonDetail: 'metricBakeDays is 1: no event of these days counts yet.',
    });
  });
});
