import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { planMetric } from '../../src/analysis/plan/metric.ts';
import { loadMoments } from '../../src/analysis/read/moments.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { callApp, keyOf } from '../support/apps.ts';
import type { Creations, Entry } from '../support/bodies.ts';
import { ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { runUntilIdle } from './end_to_end.ts';

const day = 86_400_000;
const hour = 3_600_000;
const start = Date.parse('2026-03-08T00:00:00Z');

interface GivenEvent {
  name: string;
  userID: string;
  /** Hours after the start. */
  at: number;
  value?: number | string;
  metadata?: object;
}

/** Days loaded; the last is the fourth. */
const lastDay = start / day + 3;

/** Starts an experiment in which `a` and `b` are exposed after an hour, and returns the values of a metric. */
async function valuesOf(metric: Given, events: GivenEvent[], settings: object = {}) {
  const { id: metricID, ...reference } = await ok('POST', 'metrics', {
    name: 'measured',
    ...metric,
  });
  const { id, groups } = await ok('POST', 'experiments', {
    ...{ name: 'Measuring', otherMetrics: [{ name: reference.name, type: reference.type }] },
    ...settings,
  });
  await ok('PUT', `experiments/${id}/start`, { startTime: start });
  const exposures = ['a', 'b'].map((unit, index) => ({
    ...{ kind: 'experiment', id, unitType: 'userID', unit, time: start + hour },
    ...{ group: groups[index].id, attributes: { plan: unit === 'a' ? 'pro' : 'free' } },
  }));
  await ok('POST', 'exposures', { exposures });
  await ok('POST', 'events', {
    events: events.map(({ at, ...event }) => ({ ...event, timestamp: start + at * hour })),
  });
  await runUntilIdle({ now: start + 4 * day + 2 * hour });
  const { moments } = await loadMoments(openDatabase(env.DB, 'first-primary'), {
    ...{ kind: 'experiment', id, start, metrics: [metricID], rollup: -1 },
    ...{ from: lastDay, to: lastDay, dimension: '' },
  });
  return groups.map(({ id: group }: { id: string }) => {
    const row = moments.find((one) => one.group === group);
    if (!row) return null;
    const { meanY = 0, meanD, meanX } = row.moments;
    return {
      y: meanY,
      ...(meanD && { d: meanD }),
      ...(meanX && { x: meanX }),
      ...(row.skipped && { skipped: row.skipped }),
    };
  });
}

const buy = (userID: string, at: number, value: number | string = 1, metadata: object = {}) => ({
  ...{ name: 'buy', userID, at, value, metadata },
});

type Given = Omit<Creations['metrics'], 'name'>;

type Criterion = Entry<Entry<Given, 'metricEvents'>, 'criteria'>;

const sum = (criteria: Criterion[] = [], more: object = {}) => ({
  type: 'sum',
  metricEvents: [{ name: 'buy', type: 'value', criteria }],
  ...more,
});

const warehouse = (warehouseNative: object) => ({
  type: 'user_warehouse',
  warehouseNative: { metricSourceName: 'buy', valueColumn: 'value', ...warehouseNative },
});

beforeEach(emptyDatabase);

describe('the number of a unit', () => {
  test('counts events from the exposure on, and events of the week before its day as its past', async () => {
    const events = [
      buy('a', -30, 4),
      buy('a', 0.5, 8),
      buy('a', 1, 16),
      buy('a', 95, 32),
      buy('a', 97, 64),
    ];
    expect(await valuesOf(sum(), events)).toEqual([{ y: 48, x: 4 }, { y: 0 }]);
  });

  test('skips and counts events without a number', async () => {
    const events = [buy('a', 2, 'many'), buy('a', 3, ' 5 '), buy('a', 4, '')];
    expect(await valuesOf(sum(), events)).toEqual([{ y: 5, skipped: 2 }, { y: 0 }]);
  });

  test.each<[Criterion['condition'], string[], number]>([
    ['in', ['server'], 8],
    ['=', ['client'], 16],
    ['not_in', ['client'], 40],
    ['in', ['import', 'unknown'], 0],
  ])('takes only events whose sender is %s %j', async (condition, values, wanted) => {
    const event = { eventName: 'buy', user: { userID: 'a' }, time: start + 2 * hour };
    for (const [type, value] of [['SERVER', 8] as const, ['CLIENT', 16] as const]) {
      // A source is what a sender claims, and decides nothing.
      const body = { events: [{ ...event, value }], statsigMetadata: { sdkType: 'server' } };
      await callApp('/v1/log_event', { key: await keyOf(type), body });
    }
    const metric = sum([{ type: 'sender', condition, values }]);
    expect(await valuesOf(metric, [buy('a', 3, 32)])).toEqual([{ y: wanted }, { y: 0 }]);
  });

  test('is capped by day, summed, and compared with the threshold', async () => {
    const events = [buy('a', 2, 7), buy('a', 3, 7), buy('a', 30, 7), buy('b', 2, 3)];
    const capped = sum([], { warehouseNative: { cap: 10 } });
    expect(await valuesOf(capped, events)).toEqual([{ y: 17 }, { y: 3 }]);
    await emptyDatabase();
    const reached = sum([], { warehouseNative: { cap: 10, valueThreshold: 17 } });
    expect(await valuesOf(reached, events)).toEqual([{ y: 1 }, { y: 0 }]);
  });

  test.each([
    ['event_count_custom', 'count', 2, [{ y: 5, x: 2 }, { y: 2 }]],
    ['sum', 'value', 10, [{ y: 21, x: 8 }, { y: 4 }]],
  ] as const)('is capped by day over all events of a %s', async (type, by, cap, wanted) => {
    const large: Criterion = { type: 'value', condition: '>', values: ['5'] };
    const metricEvents = [
      { name: 'buy', type: by },
      { name: 'rent', type: by },
      { name: 'buy', type: by, criteria: [large] },
    ];
    const rent = (at: number, value: number) => ({ ...buy('a', at, value), name: 'rent' });
    const events = [
      ...[buy('a', -30, 4), rent(-31, 4)],
      ...[buy('a', 2, 3), rent(3, 3), rent(4, 6)],
      ...[buy('a', 30, 6), rent(50, 1)],
      ...[buy('b', 2, 2), buy('b', 3, 2)],
    ];
    const metric = { type, metricEvents, warehouseNative: { cap } };
    expect(await valuesOf(metric, events)).toEqual(wanted);
  });

  test.each([2, 20])('is capped by day over %d events by name', async (names) => {
    const metricEvents = Array.from({ length: names }, (_, index) => ({
      ...{ name: `view ${index}`, type: 'metadata' as const, metadataKey: `key ${index % 2}` },
    }));
    const events = [2, 30].flatMap((at) =>
      [0, names - 1].map((index) => ({
        ...buy('a', at, '', { [`key ${index % 2}`]: 3 }),
        name: `view ${index}`,
      })),
    );
    const metric = { type: 'sum' as const, metricEvents, warehouseNative: { cap: 4 } };
    expect(await valuesOf(metric, events)).toEqual([{ y: 8 }, { y: 0 }]);
  });

  test('is a logarithm of positive numbers; other units are left out', async () => {
    const metric = sum([], { warehouseNative: { useLogTransform: true, logTransformBase: 10 } });
    const [a, b] = await valuesOf(metric, [buy('a', 2, 1000)]);
    expect(a.y).toBeCloseTo(3, 12);
    expect(b).toBeNull();
  });

  test.each([
    ['count', 3],
    ['sum', 12],
    ['count_distinct', 2],
    ['max', 5],
    ['min', 2],
    ['first_value', 5],
    ['latest_value', 5],
    ['daily_participation', 2 / 4],
  ])('is computed by the aggregation %s', async (aggregation, y) => {
    const events = [buy('a', 2, 5), buy('a', 3, 2), buy('a', 30, 5), buy('a', 31, 'none')];
    const counted = aggregation === 'count' ? y + 1 : y;
    const distinct = aggregation === 'count_distinct' ? y + 1 : counted;
    const [a] = await valuesOf(warehouse({ aggregation }), events);
    expect(a.y).toBeCloseTo(distinct, 12);
  });

  test('adds and subtracts components', async () => {
    const components = [
      { aggregation: 'sum', metricSourceName: 'buy', valueColumn: 'value' },
      { aggregation: 'sum', metricSourceName: 'refund', valueColumn: 'value', operator: '-' },
    ];
    const events = [buy('a', 2, 10), { ...buy('a', 3, 4), name: 'refund' }];
    const metric = { type: 'user_warehouse', warehouseNative: { components } };
    expect(await valuesOf(metric, events)).toEqual([{ y: 6 }, { y: 0 }]);
  });

  test('of a ratio leaves out units without a denominator, unless it keeps them', async () => {
    const ratio = {
      aggregation: 'ratio',
      ...{ numeratorAggregation: 'sum', denominatorAggregation: 'count' },
      denominatorMetricSourceName: 'view',
    };
    const events = [buy('a', 2, 10), { ...buy('a', 3), name: 'view' }, buy('b', 4, 3)];
    expect(await valuesOf(warehouse(ratio), events)).toEqual([{ y: 10, d: 1 }, null]);
    await emptyDatabase();
    const keeping = warehouse({ ...ratio, allowNullRatioDenominator: true });
    expect(await valuesOf(keeping, events)).toEqual([{ y: 10, d: 1 }, { y: 3 }]);
  });
});

describe('a criterion', () => {
  const events = [
    buy('a', 2, 1, { color: 'red', size: 7, gift: true }),
    buy('a', 3, 10, { color: 'dark red', size: '12' }),
    buy('a', 4, 100, { size: 'seven' }),
  ];
  const of = (
    type: string,
    column: string | undefined,
    condition: string,
    ...values: string[]
  ) => ({
    ...{ type, condition, ...(column && { column }) },
    ...(values.length > 0 && { values }),
  });

  test.each([
    [of('metadata', 'color', '=', 'red'), 1],
    [of('metadata', 'color', 'in', 'red', 'blue'), 1],
    [of('metadata', 'color', 'not_in', 'red'), 10],
    [of('metadata', 'color', 'contains', 'red'), 11],
    [of('metadata', 'color', 'not_contains', 'dark'), 1],
    [of('metadata', 'color', 'starts_with', 'dark'), 10],
    [of('metadata', 'color', 'ends_with', 'red'), 11],
    [of('metadata', 'color', 'is_null'), 100],
    [of('metadata', 'color', 'non_null'), 11],
    [of('metadata', 'size', '>', '6'), 11],
    [of('metadata', 'size', '<=', '7'), 1],
    [of('metadata', 'size', '=', '7'), 1],
    [of('metadata', 'gift', 'is_true'), 1],
    [of('metadata', 'gift', 'is_false'), 0],
    [{ ...of('metadata', 'color', '=', 'red'), nullVacuousOverride: true }, 101],
    [of('value', undefined, '>=', '10'), 110],
    [of('value', undefined, '=', '10'), 10],
    [of('user', 'userID', 'in', 'a'), 111],
    [of('user_custom', 'plan', '=', 'pro'), 111],
    [of('user_custom', 'plan', '=', 'free'), 0],
    [of('value', undefined, 'after_exposure'), 111],
    [of('value', undefined, 'before_exposure'), 0],
  ])('%j selects events', async (criterion, y) => {
    const dimensions = { preComputedUserDimensions: [{ name: 'plan' }] };
    const [a] = await valuesOf(sum([criterion]), events, dimensions);
    expect(a.y).toBe(y);
  });
});

describe('a funnel', () => {
  const steps = ['view', 'cart', 'buy'];
  const at = (hours: number, name: string, metadata: object = {}) => ({
    ...buy('a', hours, '', metadata),
    name,
  });
  const native = (more: object) => ({
    type: 'funnel',
    warehouseNative: {
      funnelEvents: steps.map((metricSourceName) => ({
        metricSourceName,
        sessionIdentifierField: 'session',
      })),
      ...more,
    },
  });

  test.each([
    ['needs its steps in order', {}, [at(2, 'view'), at(3, 'buy'), at(4, 'cart')], { y: 0, d: 1 }],
    [
      'takes steps in any order if it is not strict',
      { funnelStrictOrdering: false },
      [at(2, 'view'), at(3, 'buy'), at(4, 'cart')],
      { y: 1, d: 1 },
    ],
    [
      'must finish within its window, from any start',
      { funnelCalculationWindow: 1 },
      [at(2, 'view'), at(30, 'view'), at(31, 'cart'), at(40, 'buy')],
      { y: 1, d: 1 },
    ],
    [
      'is not finished after its window',
      { funnelCalculationWindow: 1 },
      [at(2, 'view'), at(3, 'cart'), at(40, 'buy')],
      { y: 0, d: 1 },
    ],
    [
      'starts at the exposure if it says so',
      { funnelStartCriteria: 'exposure' },
      [at(3, 'cart'), at(4, 'buy')],
      { y: 1, d: 1 },
    ],
    [
      'counts sessions',
      { funnelCountDistinct: 'sessions' },
      [
        at(2, 'view', { session: '1' }),
        at(3, 'cart', { session: '1' }),
        at(4, 'view', { session: '2' }),
        at(5, 'buy', { session: '1' }),
      ],
      { y: 1, d: 2 },
    ],
  ])('%s', async (_, more, events, wanted) => {
    const [a] = await valuesOf(native(more), events);
    expect(a).toEqual(wanted);
  });
});

describe('a percentile', () => {
  test('is computed for fifty groups, and counts events of its value in each', async () => {
    const groups = Array.from({ length: 50 }, (_, index) => ({
      ...{ name: `Group ${index}`, id: `"${index}"`, size: 2 },
    }));
    const median = warehouse({ aggregation: 'percentile', percentile: 50 });
    const { id: metricID } = await ok('POST', 'metrics', { name: 'measured', ...median });
    const otherMetrics = [{ name: 'measured', type: 'user_warehouse' }];
    const { id } = await ok('POST', 'experiments', { name: 'Measuring', otherMetrics, groups });
    await ok('PUT', `experiments/${id}/start`, { startTime: start });
    const units = groups.map(({ id: group }, index) => ({ group, unit: `unit${index}` }));
    const exposed = { kind: 'experiment', id, unitType: 'userID', time: start + hour };
    await ok('POST', 'exposures', { exposures: units.map((unit) => ({ ...exposed, ...unit })) });
    const medianOf = (index: number) => Math.sqrt(index + 2);
    const events = units.flatMap(({ unit }, index) =>
      [1, 1, 2].map((times, at) => buy(unit, 2 + at, times * medianOf(index))),
    );
    await ok('POST', 'events', {
      events: events.map(({ at, ...event }) => ({ ...event, timestamp: start + at * hour })),
    });
    await runUntilIdle({ now: start + day + 2 * hour });
    const { moments } = await loadMoments(openDatabase(env.DB, 'first-primary'), {
      ...{ kind: 'experiment', id, start, metrics: [metricID], rollup: -1 },
      ...{ from: start / day, to: start / day, dimension: '' },
    });
    expect(moments).toHaveLength(50);
    for (const { group, moments: own } of moments) {
      const value = medianOf(units.findIndex((unit) => unit.group === group));
      expect(own.percentile).toMatchObject({ events: 3, value, shareAtValue: 2 / 3 });
    }
  });
});

describe('a metric that cannot be computed', () => {
  const reasonOf = async (metric: Given) => {
    const stored = await ok('POST', 'metrics', { name: 'measured', ...metric });
    return planMetric(stored, {
      ...{ unitType: 'userid', dimensions: [], cohortDays: null, waitsForCohort: false },
      find: () => undefined,
    });
  };

  test.each([
    [sum([{ condition: 'sql_filter', values: ['x'] }]), 'sql_filter needs a warehouse'],
    [sum([{ type: 'user_custom', column: 'plan', condition: 'is_null' }]), 'plan is not stored'],
    [sum([{ condition: '>', values: ['much'] }]), 'needs a number'],
    [{ type: 'undefined', warehouseNative: { aggregation: 'count' } }, 'has no type'],
    [
      { type: 'user_warehouse', warehouseNative: { aggregation: 'count' } },
      'names no source of events',
    ],
    [
      { type: 'percentile', warehouseNative: { percentile: 0, metricSourceName: 'x' } },
      'not between 0 and 100',
    ],
  ])('reports the reason: %j', async (metric, detail) => {
    expect(await reasonOf(metric)).toEqual({
      reason: 'not_computable',
      detail: expect.stringContaining(detail),
    });
  });

  const custom = { rollupTimeWindow: 'custom', customRollUpStart: 0, customRollUpEnd: 6 };
  const funnel = { aggregation: 'funnel', funnelEvents: [{ metricSourceName: 'buy' }] };
  const ratio = {
    ...{ aggregation: 'ratio', numeratorAggregation: 'sum', denominatorAggregation: 'count' },
    ...{ denominatorRollupTimeWindow: 'custom', denominatorCustomRollupStart: 0 },
    denominatorCustomRollupEnd: 6,
  };

  test.each([
    ['metricBakeDays', { aggregation: 'sum' }],
    ['metricBakeDays', { aggregation: 'percentile' }],
    ['metricBakeDays', funnel],
    ['cupedAttributionWindow', { aggregation: 'sum' }],
    ['customRollUpEnd', { aggregation: 'sum', ...custom }],
    ['customRollUpEnd', { aggregation: 'percentile', ...custom }],
    ['denominatorCustomRollupEnd', ratio],
    ['retentionEnd', { aggregation: 'retention' }],
    ['retentionLength', { aggregation: 'retention' }],
    ['funnelCalculationWindow', funnel],
    ['funnelTimestampAllowanceMs', funnel],
  ])('reports %s of more than 100,000 days in %j', async (property, native) => {
    const detail = `${property} is more than 100,000 days.`;
    for (const value of [property.endsWith('Ms') ? 8_640_000_000_001 : 100_001, 1e301]) {
      const metric = warehouse({ ...native, [property]: value });
      expect(await reasonOf(metric)).toEqual({ reason: 'not_computable', detail });
      await emptyDatabase();
    }
  });

  test.each([
    ['customRollUpStart', { aggregation: 'sum', ...custom }],
    ['denominatorCustomRollupStart', ratio],
  ])('reports %s of more than 100,000 days before the exposure', async (property, native) => {
    const metric = warehouse({ ...native, [property]: -1e301 });
    const detail = `${property} is more than 100,000 days.`;
    expect(await reasonOf(metric)).toEqual({ reason: 'not_computable', detail });
  });

  test('of another ID type reports that', async () => {
    expect(await reasonOf({ ...sum(), unitTypes: ['companyID'] })).toMatchObject({
      reason: 'unit_type',
    });
  });

  test('has no results, and keeps no other metric from having them', async () => {
    await ok('POST', 'metrics', {
      ...sum([{ condition: 'sql_filter', values: ['x'] }]),
      name: 'foreign',
    });
    const others = ['foreign', 'measured'].map((name) => ({ name, type: 'sum' }));
    const values = await valuesOf(sum(), [buy('a', 2, 3)], { otherMetrics: others });
    expect(values).toEqual([{ y: 3 }, { y: 0 }]);
    const rows = await env.DB.prepare(
      "select count(*) as n from analysis_moments where metric = 'foreign::sum'",
    ).first('n');
    expect(rows).toBe(0);
  });
});
