import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { analyze } from '../../src/analysis/schedule/analyze.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { call, costOf, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { withBatches } from '../support/faults.ts';
import { exampleID, loadExample } from './example.ts';

const hour = 3_600_000;
const start = Date.parse('2026-01-01T00:00:00Z');
const path = `experiments/${exampleID}`;

async function analyzeAt(now: number, d1: D1Database = env.DB) {
  vi.setSystemTime(now);
  for (let runs = 0; runs < 10; runs++) {
    const db = openDatabase(d1, 'first-primary');
    await analyze({ db, now, left: () => ({ trips: 100 - db.meter.trips, ms: 10_000 }) });
  }
}

const results = `${path}/pulse_results?control=control&test=test`;
const decide = () =>
  call('PUT', `${path}/make_decision`, { body: { id: 'test', decisionReason: 'It sells more.' } });
const countOf = (table: string) =>
  env.DB.prepare(`select count(*) as n from ${table}`).first<number>('n');

const lateEvents = Array.from({ length: 20 }, (_, index) => ({
  ...{ name: 'example_purchase', userID: `u-${2 * index + 1}`, value: 500 },
  timestamp: start + 25 * hour,
}));

beforeEach(async () => {
  await emptyDatabase();
  vi.useFakeTimers({ toFake: ['Date'], now: start + 51 * hour });
});
afterEach(() => {
  vi.useRealTimers();
});

test('results of a decided experiment stay those of its decision', async () => {
  await loadExample();
  const before = await ok('GET', results);
  await decide();
  await ok('POST', 'events', { events: lateEvents });
  await analyzeAt(start + 52 * hour);
  await analyzeAt(start + 74 * hour);
  const decided = await ok('GET', results);
  expect(decided.primaryMetrics).toEqual(before.primaryMetrics);
  expect(decided.ds).toBe(before.ds);

  await ok('PATCH', path, {
    defaultConfidenceInterval: '80',
    sequentialTesting: true,
    primaryMetrics: [],
  });
  await analyzeAt(start + 78 * hour);
  await analyzeAt(start + 102 * hour);
  expect(await ok('GET', results)).toEqual(decided);

  for (const refresh of ['full', 'incremental']) {
    const { status, body } = await call('POST', `${path}/load_pulse`, { body: { refresh } });
    expect([status, body.message]).toEqual([
      409,
      `The experiment ${exampleID} is decided, and its results no longer change.`,
    ]);
  }
  const wider = await ok('GET', `${results}&confidence=80`);
  expect(wider.primaryMetrics[0].adjustedAlpha).toBeCloseTo(0.2, 12);
});

test('a decision after a stop keeps the end of the stop, and its results', async () => {
  await loadExample();
  await ok('PUT', `${path}/stop`, { decisionReason: 'It is enough.' });
  await analyzeAt(start + 52 * hour);
  await analyzeAt(start + 74 * hour);
  const before = await ok('GET', results);
  const { endTime } = await ok('GET', path);
  vi.setSystemTime(start + 100 * hour);
  await decide();
  await analyzeAt(start + 101 * hour);
  await analyzeAt(start + 150 * hour);
  expect((await ok('GET', path)).endTime).toBe(endTime);
  expect((await ok('GET', results)).ds).toBe(before.ds);
});

test('results of a running experiment follow its settings and late events', async () => {
  await loadExample();
  const onDay = `${results}&date=2026-01-02`;
  const before = await ok('GET', onDay);
  await ok('POST', 'events', { events: lateEvents });
  await ok('PATCH', path, { defaultConfidenceInterval: '80' });
  await analyzeAt(start + 54 * hour);
  const after = await ok('GET', onDay);
  expect(after.primaryMetrics[0].testMean).toBeGreaterThan(before.primaryMetrics[0].testMean);
  expect(after.primaryMetrics[0].adjustedAlpha).toBeCloseTo(0.2, 12);
});

test('days that were planned before a decision are not loaded after it', async () => {
  await loadExample({}, 40);
  vi.setSystemTime(start + 40 * 24 * hour + 3 * hour);
  await ok('POST', 'events', { events: lateEvents });
  await ok('POST', `${path}/load_pulse`, { refresh: 'full' });
  expect(await countOf('analysis_runs')).toBeGreaterThan(20);
  const before = await ok('GET', results);
  await decide();
  await analyzeAt(start + 40 * 24 * hour + 4 * hour);
  expect(await ok('GET', results)).toEqual(before);
  expect(await countOf('analysis_runs')).toBe(0);
  const [load] = await ok('GET', `${path}/pulse_load_history`);
  expect(load).toMatchObject({ reloadType: 'full', finishedState: 'CANCELED' });
});

test('a decision during a load keeps its results', async () => {
  await loadExample();
  await analyzeAt(start + 74 * hour);
  const before = await ok('GET', results);
  const deciding = withBatches(env.DB, async (session, statements) => {
    const finishes = statements.length > 5;
    if (finishes) await decide();
    return session.batch(statements);
  });
  await ok('POST', 'events', { events: lateEvents });
  await analyzeAt(start + 76 * hour, deciding);
  expect(await ok('GET', path)).toMatchObject({ status: 'decision_made' });
  expect(await ok('GET', results)).toEqual(before);
});

/** The responses that come from the results of the experiment. */
const readAll = async () => {
  const pair = 'control=control&test=test';
  const metric = 'metricID=Example%20revenue%3A%3Asum';
  const [{ healthChecks }] = await ok('GET', 'experiments');
  return [
    await ok('GET', results),
    await ok('GET', `${path}/pulse_metric_result?${pair}&${metric}&dimension=country`),
    await ok('GET', `${path}/pulse_series?${pair}&${metric}`),
    await ok('GET', `${path}/pulse_sparks?${pair}`),
    await ok('GET', `experiments/pulse_summaries?ids=${exampleID}`),
    await ok('GET', `${path}/health`),
    healthChecks,
  ];
};

test('no edit after a decision changes its results or its health', async () => {
  await loadExample({ allocation: 80, analyticsType: 'bayesian' });
  await decide();
  const before = await readAll();
  expect(before[0].primaryMetrics[0]).toMatchObject({ directionality: 'increase' });
  await ok('PATCH', path, {
    ...{ allocation: 10, analyticsType: 'frequentist', defaultRollupWindow: 1, turboMode: true },
    primaryMetrics: [],
    groups: [
      { name: 'Old', id: 'control', size: 50 },
      { name: 'New', id: 'test', size: 50 },
    ],
  });
  const metric = 'metrics/Example%20revenue%3A%3Asum';
  await ok('POST', metric, {
    directionality: 'decrease',
    warehouseNative: { cap: 1, winsorizationHigh: 0.5 },
  });
  await ok('POST', 'exposures', {
    exposures: Array.from({ length: 300 }, (_, index) => ({
      ...{ kind: 'experiment', id: exampleID, unitType: 'userID', unit: `late-${index}` },
      ...{ group: 'test', time: start + hour },
    })),
  });
  expect(await readAll()).toEqual(before);
  await ok('DELETE', metric);
  await analyzeAt(start + 74 * hour);
  expect(await readAll()).toEqual(before);
  await ok('PUT', `${path}/reset`);
  expect((await ok('GET', `${results}&start=${start}`)).primaryMetrics).toEqual(
    before[0].primaryMetrics,
  );
});

test('a decision writes one row more for its results, in its batch', async () => {
  await loadExample();
  const decided = await decide();
  await emptyDatabase();
  await loadExample();
  await env.DB.prepare('delete from analyses').run();
  const without = await decide();
  const costs = [decided, without].map(costOf);
  expect(costs.map(({ trips }) => trips)).toEqual([2, 2]);
  expect((costs[0]?.written ?? 0) - (costs[1]?.written ?? 0)).toBe(1);
});

test('a decision before any load is followed by loads of its days with its metrics', async () => {
  await loadExample({}, 0);
  await env.DB.prepare('delete from analysis_moments').run();
  await decide();
  await ok('POST', 'metrics/Example%20revenue%3A%3Asum', {
    warehouseNative: { cap: 1 },
  });
  await analyzeAt(start + 74 * hour);
  const loaded = await ok('GET', results);
  expect(loaded.ds).toBe('2026-01-03');
  expect(loaded.primaryMetrics[0].testMean).toBeGreaterThan(1);
  const since = `${path}/pulse_series?control=control&test=test&view=days_since_exposure&metricID=Example%20revenue%3A%3Asum`;
  expect((await ok('GET', since)).points).toHaveLength(2);

  await ok('POST', 'events', { events: lateEvents });
  expect((await call('POST', `${path}/load_pulse`, { body: {} })).status).toBe(409);
  await analyzeAt(start + 102 * hour);
  expect(await ok('GET', results)).toEqual(loaded);
});

test('a decision during the first load is followed by loads of the days that were closed', async () => {
  await loadExample({}, 0);
  const now = start + 20 * 24 * hour + 3 * hour;
  vi.setSystemTime(now);
  const db = openDatabase(env.DB, 'first-primary');
  await analyze({ db, now, left: () => ({ trips: 20 - db.meter.trips, ms: 10_000 }) });
  const begun = await ok('GET', results);
  expect(begun.ds < '2026-01-10').toBe(true);
  await decide();
  await analyzeAt(now + hour);
  const decided = await ok('GET', results);
  expect(decided.ds).toBe('2026-01-20');
  await analyzeAt(now + 26 * hour);
  expect(await ok('GET', results)).toEqual(decided);
});

test('health of an earlier run has its checks and its units', async () => {
  await loadExample();
  const before = await ok('GET', `${path}/health`);
  await ok('PUT', `${path}/reset`);
  const earlier = await ok('GET', `${path}/health?start=${start}`);
  const namesOf = ({ healthChecks }: { healthChecks: { name: string }[] }) =>
    healthChecks.map(({ name }) => name);
  expect(earlier.healthChecks).toEqual(before.healthChecks);
  expect(namesOf(earlier)).toContain('Balanced groups');
  expect(earlier.exposures).toEqual(before.exposures);
});
