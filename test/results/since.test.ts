import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import {
  afterDay,
  dayOf,
  events,
  expectClose,
  experiment,
  exposures,
  metrics,
  runToDay,
  runUntilIdle,
  sendEvents,
  sendExposures,
  startExperiment,
} from '../analysis/end_to_end.ts';
import { ok, send } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';

const dayLength = 86_400_000;
const path = `experiments/${experiment.id}`;
const firstDay = experiment.startTime / dayLength;

interface Event {
  timestamp: number;
  name: string;
  value?: unknown;
  userID?: string;
}

interface Exposed {
  group: string;
  time: number;
}

/** Returns each unit with its group and first exposure, without those of several groups, as known at a time. */
function unitsAt(end: number, all: { unit?: string; group?: string; time: number }[]) {
  const units = new Map<string, Exposed>();
  const left = new Set<string>();
  for (const { unit = '', group = '', time } of all) {
    if (time >= end) continue;
    const known = units.get(unit);
    if (known && known.group !== group) left.add(unit);
    const first = Math.max(time, experiment.startTime);
    units.set(unit, { group, time: Math.min(known?.time ?? first, first) });
  }
  for (const unit of left) units.delete(unit);
  return units;
}

const numberIn = ({ value }: Event): number | undefined => {
  const text = String(value ?? '').trim();
  return /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined;
};

type Measure = (own: Event[]) => { y: number; d?: number };

const purchases = (own: Event[]) => own.filter(({ name }) => name === 'purchase');
const numbers = (own: Event[]) => purchases(own).flatMap((event) => numberIn(event) ?? []);
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

const measures: Record<string, Measure> = {
  'purchases::event_count_custom': (own) => ({ y: purchases(own).length }),
  'revenue::sum': (own) => ({ y: sum(numbers(own)) }),
  'revenue_w95::sum': (own) => ({ y: sum(numbers(own)) }),
  'carts::event_count_custom': (own) => ({
    y: own.filter(({ name }) => name === 'add_to_cart').length,
  }),
  'largest_purchase::user_warehouse': (own) => ({
    y: numbers(own).length > 0 ? Math.max(...numbers(own)) : 0,
  }),
  'participation::event_user': (own) => ({ y: own.some(({ name }) => name === 'view') ? 1 : 0 }),
  'purchases_per_view::ratio': (own) => ({
    y: purchases(own).length,
    d: own.filter(({ name }) => name === 'view').length,
  }),
};

const shares: Record<string, { low: number; high: number }> = {
  'revenue_w95::sum': { low: 0.05, high: 0.95 },
};

interface Value {
  group: string;
  y: number;
  d: number | undefined;
  x: number;
}

type OfDay = Value & { day: number };

/** Computes the values of all units on one calendar day. */
function valuesOn(ds: number, metric: string, sent: Event[], exposed: typeof exposures): OfDay[] {
  const measure = measures[metric];
  if (!measure) throw new Error(metric);
  const byUnit = Map.groupBy(sent, ({ userID = '' }) => userID);
  const end = (ds + 1) * dayLength;
  return [...unitsAt(end, exposed)].flatMap(([unit, { group, time }]) => {
    const exposedDay = Math.floor(time / dayLength);
    const between = (from: number, to: number) =>
      (byUnit.get(unit) ?? []).filter(({ timestamp: at }) => at >= from && at < to);
    const { y, d } = measure(between(Math.max(time, ds * dayLength), end));
    const { y: x } = measure(between((exposedDay - 7) * dayLength, exposedDay * dayLength));
    return d === 0 ? [] : [{ group, y, d, x, day: ds - exposedDay }];
  });
}

function winsorize(values: OfDay[], { low, high }: { low: number; high: number }) {
  const sorted = values
    .map(({ y }) => y)
    .filter((y) => y !== 0)
    .sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length - 1e-9) - 1] ?? 0;
  for (const value of values)
    if (value.y !== 0) value.y = Math.max(at(low), Math.min(at(high), value.y));
}

/** Computes the values of all units by days since the exposure, one calendar day after the other. */
function expectedValues(metric: string, last: number, sent: Event[], exposed = exposures) {
  const points = new Map<number, Value[]>();
  for (let ds = firstDay; ds <= last; ds++) {
    const values = valuesOn(ds, metric, sent, exposed);
    const bounds = shares[metric];
    if (bounds) winsorize(values, bounds);
    for (const { day, ...value } of values) points.set(day, [...(points.get(day) ?? []), value]);
  }
  return points;
}

const mean = (values: number[]) => sum(values) / values.length;
const covariance = (a: number[], b: number[]) =>
  sum(a.map((value, index) => (value - mean(a)) * ((b[index] ?? 0) - mean(b))));

function statisticsOf(values: Value[]) {
  const n = values.length;
  const y = values.map((value) => value.y);
  const d = values.map((value) => value.d ?? 1);
  const ratio = mean(y) / mean(d);
  const residuals = y.map((value, index) => value - ratio * (d[index] ?? 1));
  const error = Math.sqrt(sum(residuals.map((one) => one ** 2)) / (n - 1) / n) / mean(d);
  return { n, mean: ratio, error, total: sum(y) };
}

async function pointsOf(metric: string, group: string, more = '') {
  const query = `control=g-1&test=${group}&metricID=${encodeURIComponent(metric)}&view=days_since_exposure`;
  return ok('GET', `${path}/pulse_series?${query}${more}`);
}

type Point = Record<string, number>;

function comparePoint(point: Point, all: Value[], group: string, what: string) {
  const sideOf = (id: string) => statisticsOf(all.filter((value) => value.group === id));
  const sides = [['control', sideOf('g-1')] as const, ['test', sideOf(group)] as const];
  for (const [side, { n, mean: average, error, total }] of sides) {
    expect(point[`${side}Units`], what).toBe(n);
    expectClose(Number(point[`${side}Mean`]), average, `${side}Mean of ${what}`);
    expectClose(Number(point[`${side}Total`]), total, `${side}Total of ${what}`);
    if (n > 1) expectClose(Number(point[`${side}Std`]), error, `${side}Std of ${what}`);
  }
}

/** Compares each day of a series with the values of units, and returns how many days there are. */
async function compare(metric: string, last: string, sent: Event[], exposed = exposures) {
  const wanted = expectedValues(metric, dayOf(last), sent, exposed);
  for (const group of ['g-2', 'g-3']) {
    const { points, reason } = await pointsOf(metric, group, '&cuped=false');
    expect(reason).toBeNull();
    const days = points.map(({ day }: Point) => day);
    expect(days).toEqual([...wanted.keys()].sort((a, b) => a - b));
    for (const point of points) {
      const what = `${metric} ${group} on day ${point.day}`;
      comparePoint(point, wanted.get(point.day) ?? [], group, what);
    }
  }
  return wanted.size;
}

const promoted = 'carts::event_count_custom';

const scorecard = Object.keys(measures).filter((id) => id !== promoted);

async function startWith(ids: string[]) {
  await startExperiment();
  const reference = (id: string) => ({ name: id.split('::')[0], type: id.split('::')[1] });
  const others = metrics
    .filter(({ name, type }) => !ids.includes(`${name}::${type}`))
    .map(({ name, type }) => ({ name, type }));
  await ok('PATCH', path, {
    primaryMetrics: [reference('revenue::sum')],
    secondaryMetrics: ids.filter((id) => id !== 'revenue::sum').map(reference),
    otherMetrics: others,
  });
  await sendExposures();
}

describe('the results by days since the exposure', () => {
  const last = '2026-03-21';

  beforeAll(async () => {
    await startWith([...scorecard, 'retention_7_3::user_warehouse', 'load_p90::percentile']);
    await sendEvents();
    await runToDay(last);
  });

  test.each(scorecard)('of %s are those of the events of each unit', async (metric) => {
    expect(await compare(metric, last, events)).toBe(14);
  });

  test('are adjusted by the week before the exposure', async () => {
    const wanted = expectedValues('revenue::sum', dayOf(last), events);
    const { points } = await pointsOf('revenue::sum', 'g-2');
    const adjusted = points.filter(({ cuped }: { cuped: { applied: boolean } }) => cuped?.applied);
    expect(adjusted.length).toBeGreaterThan(3);
    for (const point of adjusted) {
      const sides = ['g-1', 'g-2'].map((id) =>
        (wanted.get(point.day) ?? []).filter(({ group }) => group === id),
      );
      const [control, own] = sides.map((all) => {
        const [y, x] = [all.map((value) => value.y), all.map((value) => value.x)];
        return { y: mean(y), x: mean(x), xy: covariance(x, y), xx: covariance(x, x) };
      });
      if (!control || !own) throw new Error('no groups');
      const theta = (control.xy + own.xy) / (control.xx + own.xx);
      expectClose(point.cuped.theta, theta, `theta on day ${point.day}`);
      const change = own.y - control.y - theta * (own.x - control.x);
      expectClose(point.absoluteChange, change, `change on day ${point.day}`);
    }
  });

  test('end at endDate, as they were then, and begin with the values of startDate', async () => {
    const { points } = await pointsOf('revenue::sum', 'g-2', '&cuped=false&endDate=2026-03-10');
    expect(points.map(({ day }: { day: number }) => day)).toEqual([0, 1, 2]);
    const wanted = expectedValues('revenue::sum', dayOf('2026-03-10'), events);
    for (const { day, testTotal } of points) {
      const own = (wanted.get(day) ?? []).filter(({ group }) => group === 'g-2');
      expectClose(testTotal, sum(own.map(({ y }) => y)), `total on day ${day}`);
    }
    const later = await pointsOf('revenue::sum', 'g-2', '&startDate=2026-03-10&endDate=2026-03-10');
    expect(later.points.map(({ day }: { day: number }) => day)).toEqual([0, 1, 2]);
    expect(later.points[0].testUnits).toBeLessThan(points[0].testUnits);
    expect(later.points[2].testUnits).toBe(points[2].testUnits);
    const after = await pointsOf('revenue::sum', 'g-2', '&startDate=2026-04-01');
    expect([after.points, after.reason]).toEqual([[], null]);
  });

  test('have no impact on the total of a day, and no single threshold', async () => {
    const { points } = await pointsOf('revenue_w95::sum', 'g-2');
    expect(points[1]).toMatchObject({
      absoluteToplineImpact: null,
      projectedAbsoluteToplineImpact: null,
      winsorizationThreshold: null,
    });
    expect(points[1].ds).toBeUndefined();
  });

  test('are missing with the reason for a metric that has none', async () => {
    const reasonOf = async (metric: string) => {
      const { points, reason, reasonDetail } = await pointsOf(metric, 'g-2');
      expect(points).toEqual([]);
      return [reason, reasonDetail];
    };
    expect(await reasonOf('load_p90::percentile')).toEqual([
      'not_computable',
      'The percentiles of several days cannot be merged.',
    ]);
    expect(await reasonOf('retention_7_3::user_warehouse')).toEqual([
      'not_computable',
      'The metric counts a unit only when its window is over.',
    ]);
    expect(await reasonOf('carts::event_count_custom')).toEqual([
      'not_computable',
      'Only primary and secondary metrics have results by days since the exposure.',
    ]);
  });

  test('are a table with the day as slice', async () => {
    const query = 'control=g-1&test=g-2&metricID=revenue%3A%3Asum&view=days_since_exposure';
    const headers = { Accept: 'text/csv' };
    const answer = await send('GET', `${path}/pulse_series?${query}`, { headers });
    const lines = (await answer.text()).trim().split('\r\n');
    expect(lines).toHaveLength(15);
    expect(lines[3]).toMatch(/^2026-03-21,revenue::sum,revenue,g-1,g-2,days_since_exposure,2,/);
  });

  test('of another metric that becomes a secondary one need a load of its earlier days', async () => {
    const { secondaryMetrics, otherMetrics } = await ok('GET', path);
    const isPromoted = ({ name }: { name: string }) => name === 'carts';
    await ok('PATCH', path, {
      secondaryMetrics: [...secondaryMetrics, ...otherMetrics.filter(isPromoted)],
      otherMetrics: otherMetrics.filter((one: { name: string }) => !isPromoted(one)),
    });
    await runToDay('2026-03-22');
    const { points, reason } = await pointsOf(promoted, 'g-2');
    expect({ points, reason }).toEqual({ points: [], reason: 'not_loaded' });
    vi.useFakeTimers({ toFake: ['Date'], now: afterDay('2026-03-22') });
    await ok('POST', `${path}/load_pulse`, { refresh: 'metric', metricIDs: [promoted] });
    vi.useRealTimers();
    await runToDay('2026-03-22');
    expect(await compare(promoted, '2026-03-22', events)).toBe(15);
  });

  test('are not loaded while a day was computed by another definition', async () => {
    await env.DB.prepare(
      "update analysis_moments set definition = 'earlier' where rollup = 0 and metric = 'revenue::sum' and ds = ?",
    )
      .bind(firstDay)
      .run();
    const { points, reason } = await pointsOf('revenue::sum', 'g-2');
    expect({ points, reason }).toEqual({ points: [], reason: 'not_loaded' });
  });
});

describe('the results by days since the exposure of late data', () => {
  const last = '2026-03-14';
  const until = afterDay(last) - 2 * 3_600_000;
  const early = events.filter(({ timestamp }) => timestamp < until);

  test.each(['purchases::event_count_custom', 'largest_purchase::user_warehouse'])(
    'of %s are those of all events and exposures',
    async (metric) => {
      await emptyDatabase();
      const ids = [
        'revenue::sum',
        'purchases::event_count_custom',
        'largest_purchase::user_warehouse',
      ];
      await startWith(ids);
      const known = exposures.filter(({ time }) => time < until);
      await sendEvents(early);
      await runToDay(last);
      await compare(metric, last, early, known);
      const exposed = known.find(({ time }) => time > experiment.startTime + 2 * dayLength);
      if (!exposed) throw new Error('no unit');
      const time = dayOf('2026-03-12') * dayLength + 3_600_000;
      const late = { name: 'purchase', userID: exposed.unit, timestamp: time, value: '777' };
      await ok('POST', 'events', { events: [late] });
      await runUntilIdle({ now: afterDay(last) + 3_660_000 });
      await compare(metric, last, [...early, late], known);
      const lateUnit = { ...exposed, unit: 'late-unit', time: time + 60_000 };
      await ok('POST', 'events', {
        events: [{ ...late, userID: 'late-unit', timestamp: time + 90_000 }],
      });
      await ok('POST', 'exposures', { exposures: [lateUnit] });
      await runUntilIdle({ now: afterDay(last) + 2 * 3_660_000 });
      const own = { ...late, userID: 'late-unit', timestamp: time + 90_000 };
      await compare(metric, last, [...early, late, own], [...known, lateUnit]);
    },
  );
});

test('the results by days since the exposure leave out a last day that ends before midnight', async () => {
  await emptyDatabase();
  const start = Date.parse('2026-03-08T06:00:00Z');
  const hour = 3_600_000;
  const metric = { name: 'hits', type: 'event_count_custom' };
  await ok('POST', 'metrics', { ...metric, metricEvents: [{ name: 'hit', type: 'count' }] });
  const { id, groups } = await ok('POST', 'experiments', {
    ...{ name: 'Two days', primaryMetrics: [metric], fixedAnalysisDuration: 2 },
  });
  await ok('PUT', `experiments/${id}/start`, { startTime: start });
  const users = ['a', 'b', 'c', 'd'];
  await ok('POST', 'exposures', {
    exposures: users.map((unit, index) => ({
      ...{ kind: 'experiment', id, unitType: 'userID', unit, time: start + hour },
      group: groups[index % 2].id,
    })),
  });
  await ok('POST', 'events', {
    events: [0, 1, 2].flatMap((day) =>
      users.map((userID) => ({
        ...{ name: 'hit', userID },
        timestamp: start - hour + day * dayLength + (day === 0 ? 3 * hour : 0),
      })),
    ),
  });
  await runToDay('2026-03-12');
  const query = `control=${groups[0].id}&test=${groups[1].id}&metricID=hits%3A%3Aevent_count_custom`;
  const daily = await ok('GET', `experiments/${id}/pulse_series?${query}&view=daily`);
  expect(
    daily.points.map(({ ds, testMean }: { ds: string; testMean: number }) => [ds, testMean]),
  ).toEqual([
    ['2026-03-08', 1],
    ['2026-03-09', 1],
    ['2026-03-10', 1],
  ]);
  const since = await ok('GET', `experiments/${id}/pulse_series?${query}&view=days_since_exposure`);
  expect(
    since.points.map(({ day, testMean }: { day: number; testMean: number }) => [day, testMean]),
  ).toEqual([
    [0, 1],
    [1, 1],
  ]);
});
