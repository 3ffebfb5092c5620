import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { analyze } from '../../src/analysis/schedule/analyze.ts';
import { storeTotals } from '../../src/analysis/schedule/totals.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { withBatches } from '../support/faults.ts';

const dayLength = 86_400_000;
const start = Date.parse('2026-01-05T00:00:00Z');
const setClock = (now: number) => vi.useFakeTimers({ toFake: ['Date'], now });

const open = (d1 = env.DB) => openDatabase(d1, 'first-primary');

async function storeAt(now: number, d1 = env.DB) {
  setClock(now);
  const db = open(d1);
  await storeTotals({ db, now, left: () => ({ trips: 200 - db.meter.trips, ms: 10_000 }) });
  return db.meter;
}

async function loadAt(now: number) {
  setClock(now);
  for (let runs = 0; runs < 6; runs++) {
    const db = open();
    await analyze({ db, now, left: () => ({ trips: 200 - db.meter.trips, ms: 10_000 }) });
  }
}

const valuesOf = async (date: string) => {
  const values = await ok('GET', `metrics/values?date=${date}&limit=1000`);
  return Object.fromEntries(
    values.map((one: { metricName: string; unitType: string; value: number }) => [
      `${one.metricName} ${one.unitType}`,
      one.value,
    ]),
  );
};

const closing = (days: number) => start + days * dayLength + 3_600_000;

beforeEach(async () => {
  await emptyDatabase();
  setClock(start);
});
afterEach(() => {
  vi.useRealTimers();
});

const purchase = (more: object = {}) => ({ name: 'purchase', timestamp: start, ...more });

async function makeMetrics() {
  const unitTypes = ['userID', 'companyID'];
  await ok('POST', 'unit_id_types', { name: 'companyID', description: '' });
  const sums = { name: 'Revenue', type: 'sum', unitTypes };
  await ok('POST', 'metrics', { ...sums, metricEvents: [{ name: 'purchase', type: 'value' }] });
  await ok('POST', 'metrics', {
    ...{ name: 'Large purchases', type: 'event_count_custom' },
    metricEvents: [
      {
        ...{ name: 'purchase', type: 'count' },
        criteria: [{ type: 'value', condition: '>', values: ['5'] }],
      },
    ],
  });
  await ok('POST', 'metrics', {
    ...{ name: 'Buyers', type: 'event_user' },
    metricEvents: [{ name: 'purchase', type: 'count_distinct' }],
  });
  await ok('POST', 'metrics', {
    ...{ name: 'Mean', type: 'mean' },
    metricEvents: [{ name: 'purchase', type: 'value' }],
  });
  await ok('POST', 'metrics', {
    ...{ name: 'Both', type: 'composite_sum' },
    metricComponentMetrics: [
      { name: 'Revenue', type: 'sum' },
      { name: 'Large purchases', type: 'event_count_custom' },
    ],
  });
}

const recorded = [
  purchase({ userID: 'a', value: 10 }),
  purchase({ userID: 'b', value: ' 2.5 ', unitIDs: { CompanyID: 'c' } }),
  purchase({ unitIDs: { companyID: 'c' }, value: '1e999' }),
  purchase({ value: 'not a number' }),
  purchase({ userID: 'a', value: 7, timestamp: start + dayLength - 1 }),
  purchase({ userID: 'a', value: 100, timestamp: start + dayLength }),
];

describe('the totals of a day', () => {
  test('are stored for metrics that add up, of all events and of those of each ID type', async () => {
    await makeMetrics();
    setClock(start + dayLength);
    await ok('POST', 'events', { events: recorded });
    await storeAt(closing(1) - 1);
    expect(await valuesOf('2026-01-05')).toEqual({});
    await storeAt(closing(1));
    expect(await valuesOf('2026-01-05')).toEqual({
      'Revenue overall': 19.5,
      'Revenue userID': 19.5,
      'Revenue companyID': 2.5,
      'Large purchases overall': 2,
      'Large purchases userID': 2,
      'Both overall': 21.5,
      'Both userID': 21.5,
    });
    expect(await valuesOf('2026-01-06')).toEqual({});
    await storeAt(closing(2));
    expect(await valuesOf('2026-01-06')).toMatchObject({ 'Revenue overall': 100 });
  });

  test('leave imported values as they are, and are counted in the list', async () => {
    await makeMetrics();
    setClock(start + dayLength);
    await ok('POST', 'events', { events: recorded });
    const imported = { metricName: 'Revenue', metricType: 'sum', unitType: 'overall', value: 1 };
    await ok('POST', 'metrics/values', { date: '2026-01-05', values: [imported] });
    await storeAt(closing(1));
    const found = await valuesOf('2026-01-05');
    expect(found).toMatchObject({ 'Revenue overall': 1, 'Revenue userID': 19.5 });
    expect(Object.keys(found)).toHaveLength(7);
  });

  test('are the same if each run is killed after each statement, and cost nothing a second time', async () => {
    await makeMetrics();
    setClock(start + dayLength);
    await ok('POST', 'events', { events: recorded });
    for (let lasting = 0; lasting < 4; lasting++) {
      let batches = 0;
      const killed = withBatches(env.DB, async (session, statements) => {
        if (batches++ >= lasting) throw new Error('killed');
        return session.batch<never>(statements);
      });
      await expect(storeAt(closing(1), killed)).rejects.toThrow('killed');
    }
    await storeAt(closing(1));
    expect(await valuesOf('2026-01-05')).toMatchObject({ 'Revenue overall': 19.5 });
    const { rowsWritten, trips } = await storeAt(closing(1));
    expect({ rowsWritten, trips }).toEqual({ rowsWritten: 0, trips: 1 });
  });

  test('read three rows for each event of a metric', async () => {
    await ok('POST', 'metrics', {
      ...{ name: 'Revenue', type: 'sum' },
      metricEvents: [{ name: 'purchase', type: 'value' }],
    });
    setClock(start + dayLength);
    const events = Array.from({ length: 1000 }, (_, index) => purchase({ userID: `u${index}` }));
    await ok('POST', 'events', { events });
    await ok('POST', 'events', { events: events.map((one) => ({ ...one, name: 'other' })) });
    const { rowsRead } = await storeAt(closing(1));
    expect(rowsRead).toBe(3262);
  });
});

test('results have the share of the daily total that a change makes up, for all units', async () => {
  const metric = { name: 'Revenue', type: 'sum' };
  await ok('POST', 'metrics', { ...metric, metricEvents: [{ name: 'purchase', type: 'value' }] });
  const { id } = await ok('POST', 'experiments', {
    name: 'Topline',
    primaryMetrics: [metric],
    preComputedUserDimensions: [{ name: 'country' }],
    groups: ['control', 'test'].map((name) => ({ name, id: name, size: 50 })),
  });
  await ok('PUT', `experiments/${id}/start`, { startTime: start });
  const units = Array.from({ length: 20 }, (_, index) => `u${index}`);
  setClock(start + 2 * dayLength);
  await ok('POST', 'exposures', {
    exposures: units.map((unit, index) => ({
      ...{ kind: 'experiment', id, unitType: 'userID', unit, time: start },
      ...{ group: index % 2 === 0 ? 'control' : 'test', attributes: { country: 'NZ' } },
    })),
  });
  // The test group spends 13.5 a unit on two days, the control group 9.5, and other users 200 a day.
  await ok('POST', 'events', {
    events: [
      ...units.map((userID, index) =>
        purchase({
          userID,
          value: (index % 2 === 0 ? 5 : 9) + Math.floor(index / 2),
          timestamp: start + (index % 2) * dayLength,
        }),
      ),
      purchase({ userID: 'x', value: 200 }),
      purchase({ userID: 'x', value: 200, timestamp: start + dayLength }),
    ],
  });
  await storeAt(closing(2));
  await loadAt(closing(2));
  const path = `experiments/${id}/pulse_results?control=control&test=test`;
  const [result] = (await ok('GET', path)).primaryMetrics;
  expect([result.controlMean, result.testMean]).toEqual([9.5, 13.5]);
  // 10 units of the test group gain 4 each in two days; the total of both days is 400 + 95 + 135.
  expect(result.absoluteToplineImpact).toBeCloseTo(20, 10);
  expect(result.relativeToplineImpact).toBeCloseTo((100 * 20) / (315 - 20), 10);
  expect(result.relativeToplineImpactDelta).toBeCloseTo(
    (100 * result.absoluteToplineImpactDelta * 315) / (315 - 20) ** 2,
    10,
  );
  expect(result.projectedRelativeToplineImpact).toBeCloseTo(2 * result.relativeToplineImpact, 10);
  const [daily] = (await ok('GET', `${path}&rollup=1`)).primaryMetrics;
  expect(daily.absoluteToplineImpact).toBeCloseTo(135, 10);
  expect(daily.relativeToplineImpact).toBeCloseTo((100 * 135) / (335 - 135), 10);
  const query = `control=control&test=test&metricID=Revenue%3A%3Asum&dimension=country`;
  const sliced = await ok('GET', `experiments/${id}/pulse_metric_result?${query}`);
  expect(sliced.dimensionResults[0].metric).toMatchObject({
    absoluteToplineImpact: result.absoluteToplineImpact,
    relativeToplineImpact: null,
  });
});
