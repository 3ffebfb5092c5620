import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { call, costOf, invalidPropertiesOf, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { makeExperiment, makeGate, makeMetric, unique } from '../support/factories.ts';

const dayLength = 86_400_000;
const now = Date.UTC(2026, 0, 15, 12);
const first = Date.UTC(2026, 0, 1);

/** 28 units: two begin on each of 14 days. The first of a day buys for 10, and visits again on the next day. */
const units = Array.from({ length: 28 }, (_, index) => ({
  userID: `u-${String(index).padStart(2, '0')}`,
  time: first + Math.floor(index / 2) * dayLength + 3_600_000,
  buys: index % 2 === 0,
  plan: index % 4 < 2 ? 'pro' : 'free',
}));

async function fill() {
  await emptyDatabase();
  const events = units.flatMap(({ userID, time, buys, plan }) => [
    { name: 'visit', userID, timestamp: time, metadata: { plan } },
    ...(buys
      ? [
          { name: 'purchase', userID, timestamp: time + 60_000, value: 10, metadata: { tax: 2 } },
          { name: 'visit', userID, timestamp: time + dayLength, metadata: { plan } },
        ]
      : []),
  ]);
  await ok('POST', 'events', { events });
}

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  await fill();
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});
afterEach(() => {
  vi.useRealTimers();
});

const preview = (body: object) => ok('POST', 'metrics/preview', { name: 'Draft', ...body });

const purchases = { metricEvents: [{ name: 'purchase', type: 'value' }] };
const bought = {
  type: 'event_user',
  rollupTimeWindow: 'max',
  metricEvents: [{ name: 'purchase' }],
};

describe('the preview of a metric', () => {
  test('takes only events of the senders that its criteria name', async () => {
    const of = (...values: string[]) => ({
      ...bought,
      metricEvents: [{ name: 'purchase', criteria: [{ type: 'sender', condition: 'in', values }] }],
    });
    expect(await preview(of('management', 'server'))).toMatchObject({ units: 28, value: 0.5 });
    expect(await preview(of('server'))).toMatchObject({ units: 28, value: 0 });
  });

  test('has the values of the last 14 whole days and of each, among units with any event', async () => {
    const answer = await call('POST', 'metrics/preview', { body: { name: 'Draft', ...bought } });
    const { data } = answer.body;
    expect(data).toMatchObject({ from: '2026-01-01', to: '2026-01-14', unitType: 'userid' });
    expect(data).toMatchObject({ units: 28, unitsPerDay: 2, isPartial: false, value: 0.5 });
    expect(data.baseline).toEqual({ mean: 0.5, variance: 7 / 27, isProportion: true });
    expect(data.days).toHaveLength(14);
    expect(data.days[0]).toEqual({ ds: '2026-01-01', units: 2, value: 0.5 });
    // From the second day on, the buyer of the day before visits again.
    expect(data.days[13]).toEqual({ ds: '2026-01-14', units: 3, value: expect.closeTo(1 / 3) });
    expect(costOf(answer)).toEqual({ trips: 1, read: 554, written: 0 });
  });

  test('is not stored', async () => {
    await preview(bought);
    expect((await call('GET', 'metrics/Draft::event_user')).status).toBe(404);
  });

  test.each([
    ['a count', { type: 'event_count_custom', metricEvents: [{ name: 'visit' }] }, 41 / 28],
    ['a sum', { type: 'sum', ...purchases }, 5],
    ['a mean', { type: 'mean', ...purchases }, 10],
    [
      'a sum of metadata',
      { type: 'sum', metricEvents: [{ name: 'purchase', type: 'metadata', metadataKey: 'tax' }] },
      1,
    ],
    [
      'a ratio',
      { type: 'ratio', metricEvents: [{ name: 'purchase' }, { name: 'visit' }] },
      14 / 41,
    ],
    [
      'a percentile',
      { type: 'percentile', warehouseNative: { percentile: 50, metricSourceName: 'purchase' } },
      10,
    ],
    [
      'a count under a condition',
      {
        type: 'event_count_custom',
        metricEvents: [
          {
            name: 'visit',
            criteria: [{ type: 'metadata', column: 'plan', condition: '=', values: ['pro'] }],
          },
        ],
      },
      21 / 28,
    ],
  ])('of %s is computed', async (_, body, value) => {
    const data = await preview(body);
    expect(data.value).toBeCloseTo(value, 12);
    expect(data.reason).toBe(null);
    expect(data.days).toHaveLength(14);
  });

  test('of a funnel counts its steps', async () => {
    const funnelEventList = [
      { name: 'visit', type: 'event_user' },
      { name: 'purchase', type: 'event_user' },
    ];
    const { value, steps } = await preview({ type: 'funnel', funnelEventList });
    expect(value).toBe(0.5);
    expect(steps).toEqual([
      { event: 'visit', count: 28 },
      { event: 'purchase', count: 14 },
    ]);
  });

  test('of a composite reads the stored metrics in further round trips', async () => {
    const { name, type } = await makeMetric({
      name: unique('Part'),
      type: 'event_count_custom',
      metricEvents: [{ name: 'purchase', type: 'count' }],
    });
    const body = { name: 'Draft', type: 'composite_sum', metricComponentMetrics: [{ name, type }] };
    const answer = await call('POST', 'metrics/preview', { body });
    expect(answer.body.data.value).toBe(0.5);
    expect(costOf(answer).trips).toBe(2);
  });

  test('has no days for a metric with a window, which follows units over days', async () => {
    const window = { rollupTimeWindow: 'custom', customRollUpStart: 0, customRollUpEnd: 0 };
    const { days, value } = await preview({ ...bought, ...window });
    expect(days).toEqual([]);
    expect(value).toBe(0.5);
  });
});

describe('the preview of a metric without a value', () => {
  test('names why a metric cannot be computed', async () => {
    const criteria = [{ type: 'value', condition: 'sql_filter', values: ['1'] }];
    const data = await preview({
      type: 'event_count_custom',
      metricEvents: [{ name: 'visit', criteria }],
    });
    expect(data).toMatchObject({ value: null, days: [], reason: 'not_computable' });
    expect(data.reasonDetail).toBe('The condition sql_filter needs a warehouse.');
    const metricComponentMetrics = [{ name: 'None', type: 'sum' }];
    const { reasonDetail } = await preview({ type: 'composite', metricComponentMetrics });
    expect(reasonDetail).toBe('The component None::sum does not exist.');
  });

  test.each([
    [
      'a ratio',
      'zero_denominator',
      { type: 'ratio', metricEvents: [{ name: 'visit' }, { name: 'never' }] },
    ],
    [
      'a mean',
      'zero_denominator',
      { type: 'mean', metricEvents: [{ name: 'never', type: 'value' }] },
    ],
    [
      'a funnel',
      'zero_denominator',
      {
        type: 'funnel',
        funnelEventList: ['never', 'visit'].map((name) => ({ name, type: 'event_user' })),
      },
    ],
    [
      'a percentile',
      'too_few_units',
      { type: 'percentile', warehouseNative: { percentile: 50, metricSourceName: 'never' } },
    ],
  ])('of %s without values is null for %s', async (_, reason, body) => {
    const data = await preview(body);
    expect(data).toMatchObject({ units: 28, value: null, baseline: null, reason });
  });

  test('of a ratio that keeps units without a denominator is null if all denominators are 0', async () => {
    const data = await preview({
      type: 'ratio',
      metricEvents: [{ name: 'visit' }, { name: 'never' }],
      warehouseNative: { allowNullRatioDenominator: true },
    });
    expect(data).toMatchObject({ value: null, baseline: null, reason: 'zero_denominator' });
  });

  test('is no_units for an ID type without events', async () => {
    const data = await preview({ ...bought, unitTypes: ['companyID'] });
    expect(data).toMatchObject({ units: 0, value: null, baseline: null, reason: 'no_units' });
  });

  test.each([
    ['no type', {}],
    ['a sum without a value', { type: 'sum', metricEvents: [{ name: 'visit', type: 'count' }] }],
    [
      'a funnel of one step',
      { type: 'funnel', funnelEventList: [{ name: 'a', type: 'event_user' }] },
    ],
    ['metadata without a key', { type: 'sum', metricEvents: [{ name: 'a', type: 'metadata' }] }],
  ])('of %s is 400 with the properties of its creation', async (_, part) => {
    const body = { name: 'Draft', ...part };
    const expected = await invalidPropertiesOf('POST', 'metrics', body);
    expect(await invalidPropertiesOf('POST', 'metrics/preview', body)).toEqual(expected);
    expect(expected).toHaveLength(1);
  });
});

describe('the baseline of an experiment', () => {
  const baselineOf = async (body: object = {}, query = '') => {
    const metric = await makeMetric({ name: unique('Bought'), ...bought, type: 'event_user' });
    const { id } = await makeExperiment(body);
    return call(
      'GET',
      `experiments/${id}/baseline?metricID=${encodeURIComponent(metric.id)}${query}`,
    );
  };

  test('is of all units without targeting, in two round trips', async () => {
    const answer = await baselineOf();
    expect(answer.body.data).toMatchObject({
      ...{ from: '2026-01-01', to: '2026-01-14', units: 28, unitsPerDay: 2, reason: null },
      baseline: { mean: 0.5, variance: 7 / 27, isProportion: true },
    });
    expect(costOf(answer)).toEqual({ trips: 2, read: 246, written: 0 });
  });

  test('is of the units that pass the targeting gate', async () => {
    const gate = await makeGate({
      rules: [
        {
          name: 'Buyers',
          passPercentage: 100,
          conditions: [
            { type: 'user_id', operator: 'any', targetValue: ['u-00', 'u-02', 'u-04', 'u-05'] },
          ],
        },
      ],
    });
    const { body } = await baselineOf({ targetingGateID: gate.id });
    expect(body.data).toMatchObject({ units: 4, baseline: { mean: 0.75 } });
    expect(body.data.unitsPerDay).toBeCloseTo(4 / 14, 12);
  });

  test('reads attributes of inline targeting from the metadata of the first event', async () => {
    const conditions = [
      { type: 'custom_field', field: 'plan', operator: 'any', targetValue: ['pro'] },
    ];
    const rules = [{ name: 'Pro', passPercentage: 100, conditions }];
    const answer = await baselineOf({ inlineTargetingRulesJSON: JSON.stringify(rules) });
    expect(answer.body.data).toMatchObject({ units: 14, baseline: { mean: 0.5 } });
    expect(costOf(answer).trips).toBe(3);
  });

  test('is no_units if no unit passes, and unit_type for a metric of another ID type', async () => {
    const rules = [{ name: 'None', passPercentage: 0, conditions: [{ type: 'public' }] }];
    const none = await baselineOf({ inlineTargetingRulesJSON: JSON.stringify(rules) });
    expect(none.body.data).toMatchObject({ units: 0, baseline: null, reason: 'no_units' });
    const other = await baselineOf({ idType: 'companyID' });
    expect(other.body.data).toMatchObject({ baseline: null, reason: 'unit_type' });
  });

  test('of 28 days spreads the units over these', async () => {
    const { body } = await baselineOf({}, '&days=28');
    expect(body.data).toMatchObject({ from: '2025-12-18', units: 28, unitsPerDay: 1 });
  });

  test('is 404 for an unknown metric or experiment, and 400 for other days', async () => {
    const { id } = await makeExperiment();
    const path = `experiments/${id}/baseline`;
    expect((await call('GET', `${path}?metricID=none::sum`)).status).toBe(404);
    expect((await call('GET', 'experiments/none/baseline?metricID=none::sum')).status).toBe(404);
    expect(await invalidPropertiesOf('GET', `${path}?metricID=a&days=15`, undefined)).toEqual([
      'days',
    ]);
    expect(await invalidPropertiesOf('GET', path, undefined)).toEqual(['metricID']);
  });
});

test('an estimate reads 10,000 units, and counts the others', async () => {
  await emptyDatabase();
  await env.DB.batch([
    env.DB.prepare(`
      insert into events (timestamp, name, source, value, userID, metadata, unitIDs)
      with recursive n (i) as (select 0 union all select i + 1 from n where i < 10499)
      select ${first} + i, 'visit', '', '', 'u-' || i, '{}', '{}' from n`),
    env.DB.prepare(`
      insert into event_units (unitType, unitID, name, timestamp, seq)
      select 'userid', userID, name, timestamp, seq from events`),
  ]);
  const answer = await call('POST', 'metrics/preview', {
    body: { name: 'visit', type: 'event_user' },
  });
  expect(answer.body.data).toMatchObject({ units: 10_500, unitsPerDay: 750, isPartial: true });
  expect(costOf(answer)).toEqual({ trips: 1, read: 145_054, written: 0 });
});
