import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { analyze } from '../../src/analysis/analyze.ts';
import { openDatabase } from '../../src/store/sql/database.ts';
import { call, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { exampleID, loadExample } from './example.ts';

const hour = 3_600_000;
const start = Date.parse('2026-01-01T00:00:00Z');
const path = `experiments/${exampleID}`;

async function analyzeAt(now: number) {
  vi.setSystemTime(now);
  for (let runs = 0; runs < 10; runs++) {
    const db = openDatabase(env.DB, 'first-primary');
    await analyze({ db, now, left: () => ({ trips: 100 - db.meter.trips, ms: 10_000 }) });
  }
}

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
  const results = `${path}/pulse_results?control=control&test=test`;
  const before = await ok('GET', results);
  await ok('PUT', `${path}/make_decision`, { id: 'test', decisionReason: 'It sells more.' });
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

test('results of a running experiment follow its settings and late events', async () => {
  await loadExample();
  const results = `${path}/pulse_results?control=control&test=test&date=2026-01-02`;
  const before = await ok('GET', results);
  await ok('POST', 'events', { events: lateEvents });
  await ok('PATCH', path, { defaultConfidenceInterval: '80' });
  await analyzeAt(start + 54 * hour);
  const after = await ok('GET', results);
  expect(after.primaryMetrics[0].testMean).toBeGreaterThan(before.primaryMetrics[0].testMean);
  expect(after.primaryMetrics[0].adjustedAlpha).toBeCloseTo(0.2, 12);
});
