import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { analyze } from '../../src/analysis/schedule/analyze.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { call, costOf, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';

const dayLength = 86_400_000;
const start = Date.parse('2026-01-01T00:00:00Z');
const groups = ['control', 'test', 'other'];

// A load also computes every day of the experiments of earlier tests.
beforeEach(emptyDatabase);

async function load(now: number) {
  for (;;) {
    const db = openDatabase(env.DB, 'first-primary');
    await analyze({ db, now, left: () => ({ trips: 900 - db.meter.trips, ms: 10_000 }) });
    if (db.meter.trips <= 2) return;
  }
}

type Metric = { name: string; type: string };

/** Creates and starts an experiment with some metrics and a dimension, and exposes 30 units. */
async function startWith(name: string, primary: Metric, others: Metric[] = []) {
  for (const metric of [primary, ...others])
    await ok('POST', 'metrics', { ...metric, metricEvents: [{ name: 'visit', type: 'count' }] });
  const { id } = await ok('POST', 'experiments', {
    name,
    primaryMetrics: [primary],
    otherMetrics: others,
    preComputedUserDimensions: [{ name: 'country' }],
    groups: groups.map((group, index) => ({
      ...{ name: group, id: group },
      size: index === 0 ? 33.34 : 33.33,
    })),
  });
  await ok('PUT', `experiments/${id}/start`, { startTime: start });
  const units = Array.from({ length: 30 }, (_, index) => index);
  await ok('POST', 'exposures', {
    exposures: units.map((unit) => ({
      ...{ kind: 'experiment', id, unitType: 'userID', unit: `u-${unit}`, time: start },
      ...{ group: groups[unit % 3], attributes: { country: `c-${unit % 5}` } },
    })),
  });
  const events = units.map((unit) => ({
    name: 'visit',
    userID: `u-${unit}`,
    timestamp: start + 1,
  }));
  await ok('POST', 'events', { events });
  return String(id);
}

test('50 metrics of 3 groups are read in one round trip with 500 rows, and again with 3', async () => {
  const metric = (index: number) => ({ name: `Wide ${index}`, type: 'event_count_custom' });
  const others = Array.from({ length: 49 }, (_, index) => metric(index + 1));
  const id = await startWith('Wide', metric(0), others);
  await load(start + dayLength + 7_200_000);
  const path = `experiments/${id}/pulse_results?control=control&test=test`;
  const answer = await call('GET', path);
  expect(answer.data.primaryMetrics.length + answer.data.otherMetrics.length).toBe(50);
  expect(answer.data.otherMetrics[48]).toMatchObject({ reason: 'zero_variance', testMean: 1 });
  expect(costOf(answer)).toEqual({ trips: 1, read: 500, written: 0 });
  const headers = { 'If-None-Match': answer.headers.get('ETag') ?? '' };
  const again = await call('GET', path, { headers });
  expect([again.status, costOf(again)]).toEqual([304, { trips: 1, read: 3, written: 0 }]);
});

test('a series of 90 days is read in one round trip with 287 rows', async () => {
  const metric = { name: 'Long', type: 'event_count_custom' };
  const id = await startWith('Long', metric);
  await load(start + 90 * dayLength + 7_200_000);
  const query = 'control=control&test=test&metricID=Long%3A%3Aevent_count_custom';
  for (const view of ['cumulative', 'daily']) {
    const answer = await call(
      'GET',
      `experiments/${id}/pulse_series?${query}&view=${view}&endDate=2026-03-31`,
    );
    expect(answer.data.points).toHaveLength(90);
    expect(costOf(answer)).toEqual({ trips: 1, read: 287, written: 0 });
  }
});

test('the days since the exposure of 90 days are read in one round trip with 56 rows', async () => {
  const metric = { name: 'Long since', type: 'event_count_custom' };
  const id = await startWith('Long since', metric);
  await load(start + 90 * dayLength + 7_200_000);
  const query =
    'control=control&test=test&metricID=Long%20since%3A%3Aevent_count_custom&endDate=2026-03-31';
  const answer = await call(
    'GET',
    `experiments/${id}/pulse_series?${query}&view=days_since_exposure`,
  );
  expect(answer.data.points.map(({ day }: { day: number }) => day)).toEqual(
    Array.from({ length: 28 }, (_, day) => day),
  );
  expect(answer.data.points[0].testMean).toBeGreaterThan(0);
  expect(answer.data.points[27]).toMatchObject({ testUnits: 10, testMean: 0 });
  expect(costOf(answer)).toEqual({ trips: 1, read: 56, written: 0 });
});

test('a list of experiments reads one row more for each experiment with results', async () => {
  const ids = Array.from({ length: 10 }, (_, index) => `listed_${index}`);
  for (const id of ids) await ok('POST', 'experiments', { name: id, id });
  const rowsOf = async (limit: number) =>
    costOf(await call('GET', `experiments?limit=${limit}`)).read;
  const rowsOfThree = async () => (await rowsOf(5)) - (await rowsOf(2));
  expect(await rowsOfThree()).toBe(3);
  for (const id of ids) await ok('PUT', `experiments/${id}/start`);
  await load(Date.now());
  const { data } = await call('GET', 'experiments?limit=10');
  const [{ healthChecks }] = data;
  expect(healthChecks.map(({ name }: { name: string }) => name)).toContain('Crossover');
  expect(await rowsOfThree()).toBe(6);
});
