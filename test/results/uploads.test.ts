import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { isRecord } from '../../src/base/value_types.ts';
import { expectClose, runJob, runUntilIdle } from '../analysis/end_to_end.ts';
import { call, costOf, ok } from '../support/client.ts';

const day = 86_400_000;
const hour = 3_600_000;
const start = Date.parse('2026-03-08T05:00:00Z');
const firstDay = Math.floor(start / day);
const dateOf = (ds: number) => new Date(ds * day).toISOString().slice(0, 10);

/** Days are counted from the first one; the last loaded day is the fifth. */
const last = 4;
const afterDay = (ds: number) => (firstDay + ds + 1) * day + 2 * hour;

const units = Array.from({ length: 24 }, (_, index) => ({
  unit: `u-${index}`,
  index,
  group: index % 2 === 0 ? 'control' : 'test',
  time: start + index * 4 * hour,
  country: index % 3 === 0 ? 'NZ' : 'US',
}));

type Unit = (typeof units)[number];

const exposedOn = ({ time }: Unit) => Math.floor(time / day) - firstDay;

interface Row {
  metric: string;
  unit: string;
  ds: number;
  value?: number;
  numerator?: number;
  denominator?: number;
}

const rows: Row[] = [];
for (let ds = -9; ds <= last; ds++)
  for (const { unit, index, group } of units) {
    const number = ((index * 7 + ds * 5 + 50) % 11) + (group === 'test' && ds >= 0 ? 2 : 0);
    if ((index + ds + 9) % 3 === 0) continue;
    rows.push({ metric: 'Spent::sum', unit, ds, value: number });
    rows.push({ metric: 'Longest::user_warehouse', unit, ds, value: number * 3 });
    for (const metric of ['Came::event_user', 'Came daily::event_user'])
      rows.push({ metric, unit, ds, value: number > 6 ? number : 0 });
    if (number > 1)
      rows.push({
        metric: 'Rate::ratio',
        unit,
        ds,
        numerator: number * index,
        denominator: number,
      });
    for (const metric of ['Soon::sum', 'At once::sum', 'Trimmed::sum', 'Slow::percentile'])
      rows.push({ metric, unit, ds, value: number });
  }

const upload = (ds: number, some: readonly Row[], unitType = 'userID') =>
  call('POST', 'metrics/unit_values', {
    body: {
      date: dateOf(firstDay + ds),
      values: some.map(({ metric, unit, ds: _, ...numbers }) => {
        const [metricName, metricType] = metric.split('::');
        return { metricName, metricType, unitType, unitID: unit, ...numbers };
      }),
    },
  });

const buys = [{ name: 'buy', type: 'value' as const, criteria: [] }];

const metrics = [
  { name: 'Spent', type: 'sum', metricEvents: buys, unitTypes: ['userID', 'companyID'] },
  { name: 'Came', type: 'event_user', rollupTimeWindow: 'max' },
  { name: 'Came daily', type: 'event_user' },
  { name: 'Rate', type: 'ratio', metricEvents: [...buys, { name: 'view', type: 'count' }] },
  { name: 'Bought', type: 'sum', metricEvents: buys, unitTypes: ['userID', 'companyID'] },
  {
    ...{ name: 'All', type: 'composite_sum' },
    metricComponentMetrics: ['Spent', 'Bought'].map((name) => ({ name, type: 'sum' })),
  },
  {
    ...{ name: 'Soon', type: 'sum', metricEvents: buys, rollupTimeWindow: 'custom' },
    ...{ customRollUpStart: 0, customRollUpEnd: 1 },
  },
  {
    ...{ name: 'At once', type: 'sum', metricEvents: buys },
    warehouseNative: {
      ...{ rollupTimeWindow: 'custom', customRollUpStart: 0, customRollUpEnd: 29 },
      customRollupMeasureInMinutes: true,
    },
  },
  {
    ...{ name: 'Trimmed', type: 'sum', metricEvents: buys },
    warehouseNative: { winsorizationHigh: 0.8 },
  },
  {
    ...{ name: 'Longest', type: 'user_warehouse' },
    warehouseNative: {
      aggregation: 'latest_value',
      metricSourceName: 'visit',
      valueColumn: 'value',
    },
  },
  {
    ...{ name: 'Slow', type: 'percentile' },
    warehouseNative: { percentile: 0.5, metricSourceName: 'visit', valueColumn: 'value' },
  },
];

const path = 'experiments/uploads';

const pulse = async (query: string, of = path) => {
  const data = await ok('GET', `${of}/pulse_results?control=control&test=test&${query}`);
  const all: { metricID: string; [name: string]: unknown }[] = [
    ...data.primaryMetrics,
    ...data.otherMetrics,
  ];
  return (id: string) => {
    const found = all.find(({ metricID }) => metricID === id);
    if (!found) throw new Error(`no result of ${id}`);
    return found;
  };
};

type Column = 'value' | 'numerator' | 'denominator';

/** Adds up the values of a unit from one day to another, both included. */
function total(metric: string, { unit }: Unit, [from, to]: number[], column: Column = 'value') {
  let sum = 0;
  for (const row of rows)
    if (row.metric === metric && row.unit === unit && row.ds >= (from ?? 0) && row.ds <= (to ?? 0))
      sum += row[column] ?? 0;
  return sum;
}

/** Returns the share of days with a positive value of daily participation. */
const share = ({ unit }: Unit, [from = 0, to = 0]: number[]) =>
  rows.filter(
    ({ metric, value = 0, ...row }) =>
      metric === 'Came daily::event_user' &&
      row.unit === unit &&
      row.ds >= from &&
      row.ds <= to &&
      value > 0,
  ).length /
  (to - from + 1);

interface Values {
  y(unit: Unit): number;
  x?(unit: Unit): number;
}

const mean = (numbers: number[]) =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** Compares two groups of units by their values, adjusted by the past with a plain regression. */
function compare(some: readonly Unit[], { y, x = () => 0 }: Values) {
  const [control, test] = ['control', 'test'].map((group) => {
    const own = some.filter((unit) => unit.group === group);
    return { y: own.map(y), x: own.map(x) };
  });
  if (!control || !test) throw new Error('no groups');
  let [products, squares] = [0, 0];
  for (const group of [control, test])
    group.x.forEach((past, place) => {
      products += (past - mean(group.x)) * ((group.y[place] ?? 0) - mean(group.y));
      squares += (past - mean(group.x)) ** 2;
    });
  const theta = squares > 0 ? products / squares : 0;
  return {
    controlTotal: control.y.reduce((sum, number) => sum + number, 0),
    testTotal: test.y.reduce((sum, number) => sum + number, 0),
    controlMean: mean(control.y),
    absoluteChange: mean(test.y) - mean(control.y) - theta * (mean(test.x) - mean(control.x)),
    theta: squares > 0 ? theta : null,
  };
}

function expectResult(
  found: Record<string, unknown>,
  wanted: Partial<ReturnType<typeof compare>>,
  what: string,
) {
  const { theta = null, ...numbers } = wanted;
  for (const [name, number] of Object.entries(numbers))
    expectClose(Number(found[name]), number, `${name} of ${what}`);
  const own = isRecord(found.cuped) ? found.cuped.theta : undefined;
  if (theta !== null) expectClose(Number(own), theta, `theta of ${what}`);
}

const spent = (to: number, from = -99): Values => ({
  y: (unit) => total('Spent::sum', unit, [Math.max(exposedOn(unit), from), to]),
  x: (unit) => total('Spent::sum', unit, [exposedOn(unit) - 7, exposedOn(unit) - 1]),
});

const exposedBy = (ds: number) => units.filter((unit) => exposedOn(unit) <= ds);

interface Settings {
  idType?: string;
  cohortedAnalysisDuration?: number;
  fixedAnalysisDuration?: number;
}

async function startExperiment(id: string, some: typeof metrics, settings: Settings = {}) {
  const unitType = settings.idType ?? 'userID';
  const named = some.map(({ name, type }) => ({ name, type }));
  await ok('POST', 'experiments', {
    ...{ name: id, id, ...settings },
    ...{ primaryMetrics: named.slice(0, 4), otherMetrics: named.slice(4) },
    preComputedUserDimensions: [{ name: 'country' }],
    groups: ['control', 'test'].map((group) => ({ name: group, id: group, size: 50 })),
  });
  await ok('PUT', `experiments/${id}/start`, { startTime: start });
  await ok('POST', 'exposures', {
    exposures: units.map(({ unit, group, time, country }) => ({
      ...{ kind: 'experiment', id, unitType, unit, group, time },
      attributes: { country },
    })),
  });
}

let fromEvents: Record<string, unknown>;

beforeAll(async () => {
  for (const metric of metrics) await ok('POST', 'metrics', metric);
  await startExperiment('uploads', metrics);
  const short = { cohortedAnalysisDuration: 2, fixedAnalysisDuration: 3 };
  await startExperiment('short', metrics.slice(0, 3), short);
  await startExperiment('companies', metrics.slice(0, 5), { idType: 'companyID' });
  await ok('POST', 'events', {
    events: units.map(({ unit, time, index }) => ({
      ...{ name: 'buy', userID: unit, value: 1 + index, timestamp: time + hour },
    })),
  });
  await runUntilIdle({ now: afterDay(last) });
  fromEvents = (await pulse(`date=${dateOf(firstDay + last)}`))('Spent::sum');
  for (let ds = -9; ds <= last; ds++) {
    const { status } = await upload(
      ds,
      rows.filter((row) => row.ds === ds),
    );
    expect(status).toBe(201);
  }
  await runUntilIdle({ now: afterDay(last) + 60_000 });
});

const on = (ds: number) => `date=${dateOf(firstDay + ds)}`;

describe('a metric with uploaded values of units', () => {
  test('is computed from its events before the first upload, and from the values alone after it', async () => {
    const wanted = compare(units, { y: ({ index }) => 1 + index });
    expectResult(fromEvents, { ...wanted, theta: null }, 'events');
    const all = await pulse(on(last));
    expectResult(all('Spent::sum'), compare(units, spent(last)), 'values');
    expectResult(all('Bought::sum'), { ...wanted, theta: null }, 'a metric without values');
  });

  test.each([1, 2, 4])('counts from the day of exposure to day %i, with CUPED', async (ds) => {
    const found = (await pulse(on(ds)))('Spent::sum');
    expectResult(found, compare(exposedBy(ds), spent(ds)), `day ${ds}`);
    const plain = (await pulse(`${on(ds)}&cuped=false`))('Spent::sum');
    expectResult(plain, compare(exposedBy(ds), { y: spent(ds).y }), `day ${ds} without CUPED`);
  });

  test.each([
    [1, 2, 2],
    [7, 4, -2],
  ])('has a rollup of %i days', async (rollup, ds, from) => {
    const found = (await pulse(`${on(ds)}&rollup=${rollup}`))('Spent::sum');
    expectResult(found, compare(exposedBy(ds), spent(ds, from)), `${rollup} days`);
  });

  test('has a result for each value of a dimension', async () => {
    const query = `control=control&test=test&${on(last)}&dimension=country&metricID=Spent%3A%3Asum`;
    const { dimensionResults } = await ok('GET', `${path}/pulse_metric_result?${query}`);
    expect(dimensionResults).toHaveLength(2);
    for (const { dimension_value: country, metric } of dimensionResults) {
      const own = units.filter((unit) => unit.country === country);
      expectResult(metric, compare(own, spent(last)), country);
    }
  });

  test('has points by days since the exposure', async () => {
    const query = 'control=control&test=test&view=days_since_exposure&metricID=Spent%3A%3Asum';
    const { points } = await ok('GET', `${path}/pulse_series?${query}&cuped=false`);
    for (const { day: since, ...point } of points) {
      const old = units.filter((unit) => exposedOn(unit) + since <= last);
      const onDay = (unit: Unit) =>
        total('Spent::sum', unit, [exposedOn(unit) + since, exposedOn(unit) + since]);
      if (old.length > 3) expectResult(point, compare(old, { y: onDay }), `day ${since}`);
    }
    expect(points.length).toBeGreaterThan(3);
  });

  test('of participation tells whether any value is positive', async () => {
    const came = (unit: Unit, range: number[]) =>
      Number(total('Came::event_user', unit, range) > 0);
    const found = (await pulse(on(2)))('Came::event_user');
    const wanted = compare(exposedBy(2), {
      y: (unit) => came(unit, [exposedOn(unit), 2]),
      x: (unit) => came(unit, [exposedOn(unit) - 7, exposedOn(unit) - 1]),
    });
    expectResult(found, wanted, 'participation');
    expect(wanted.absoluteChange).not.toBe(0);
  });

  test('of daily participation has the share of days with a positive value', async () => {
    const wanted = compare(units, {
      y: (unit) => share(unit, [exposedOn(unit), last]),
      x: (unit) => share(unit, [exposedOn(unit) - 7, exposedOn(unit) - 1]),
    });
    expectResult((await pulse(on(last)))('Came daily::event_user'), wanted, 'daily participation');
  });

  test('of a ratio divides the totals of numerators and denominators', async () => {
    const found = (await pulse(`${on(3)}&cuped=false`))('Rate::ratio');
    const sum = (group: string, column: Column) =>
      exposedBy(3)
        .filter((unit) => unit.group === group)
        .reduce((all, unit) => all + total('Rate::ratio', unit, [exposedOn(unit), 3], column), 0);
    const rate = (group: string) => sum(group, 'numerator') / sum(group, 'denominator');
    expectClose(Number(found.controlMean), rate('control'), 'control');
    expectClose(Number(found.absoluteChange), rate('test') - rate('control'), 'change');
  });

  test('is part of a composite, whose other parts keep their events', async () => {
    const found = (await pulse(`${on(last)}&cuped=false`))('All::composite_sum');
    const wanted = compare(units, { y: (unit) => spent(last).y(unit) + 1 + unit.index });
    expectResult(found, wanted, 'composite');
  });

  test('with a window counts whole days from the day of the exposure', async () => {
    const found = (await pulse(`${on(last)}&cuped=false`))('Soon::sum');
    const y = (unit: Unit) => total('Soon::sum', unit, [exposedOn(unit), exposedOn(unit) + 1]);
    expectResult(found, compare(exposedBy(last), { y }), 'window');
  });

  test('counts the days of the exposure and of the end whole', async () => {
    const of = await pulse(`${on(3)}&cuped=false`, 'experiments/short');
    const range = (unit: Unit) => [exposedOn(unit), Math.min(3, exposedOn(unit) + 1)];
    const own = units.filter(({ time }) => time < start + 3 * day);
    const y = (unit: Unit) => total('Spent::sum', unit, range(unit));
    expectResult(of('Spent::sum'), compare(own, { y }), 'cohort');
    const came = compare(own, { y: (unit) => share(unit, range(unit)) });
    expectResult(of('Came daily::event_user'), came, 'daily participation of a cohort');
  });

  test('is winsorized over all groups', async () => {
    const found = (await pulse(`${on(last)}&cuped=false`))('Trimmed::sum');
    const values = units.map((unit) => total('Trimmed::sum', unit, [exposedOn(unit), last]));
    const nonZero = values.filter((value) => value !== 0).sort((a, b) => a - b);
    const upper = nonZero[Math.ceil(0.8 * nonZero.length) - 1] ?? 0;
    expect(found.winsorizationThreshold).toBe(upper);
    const y = ({ index }: Unit) => Math.min(upper, values[index] ?? 0);
    expectResult(found, compare(units, { y }), 'winsorized');
  });

  test('of the latest value reads the newest day', async () => {
    const found = (await pulse(on(last)))('Longest::user_warehouse');
    const y = (unit: Unit) =>
      rows.findLast(
        (row) =>
          row.metric === 'Longest::user_warehouse' &&
          row.unit === unit.unit &&
          row.ds >= exposedOn(unit),
      )?.value ?? 0;
    expectResult(found, compare(units, { y }), 'latest');
  });

  test.each([
    ['Slow::percentile', 'The type percentile cannot be computed from uploaded values.'],
    ['At once::sum', 'The window is in minutes, and uploaded values have only a day.'],
  ])('that days cannot give is not computable: %s', async (id, reasonDetail) => {
    const found = (await pulse(on(last)))(id);
    expect(found).toMatchObject({ reason: 'not_computable', reasonDetail, testMean: null });
  });

  test('has no relative impact on the daily total of its events', async () => {
    const found = (await pulse(on(last)))('Spent::sum');
    expect(found.absoluteToplineImpact).not.toBeNull();
    expect(found.relativeToplineImpact).toBeNull();
  });
});

const pointsOf = async (id: string) => {
  const query = `control=control&test=test&metricID=${encodeURIComponent(id)}`;
  const data: { points: { ds: string }[] } = await ok('GET', `${path}/pulse_series?${query}`);
  return data.points;
};

const moments = async () => {
  const { results } = await env.DB.prepare(
    `select * from analysis_moments where id = 'uploads'
      order by metric, rollup, ds, dimension, slice, "group"`,
  ).all<{ metric: string; ds: number; rollup: number }>();
  return results;
};

describe('an upload for a day that was loaded', () => {
  test('changes its metric on this day and later ones, in two round trips', async () => {
    const before = await moments();
    const seen = await pointsOf('Spent::sum');
    const row = { metric: 'Spent::sum', unit: 'u-1', ds: 2, value: 500 };
    const earlier = rows.findIndex(({ metric, unit, ds }) =>
      [metric, unit, ds].every((one, place) => one === [row.metric, row.unit, row.ds][place]),
    );
    if (earlier >= 0) rows.splice(earlier, 1);
    rows.push(row);
    const answer = await upload(2, [row]);
    expect([answer.status, costOf(answer).trips]).toEqual([201, 2]);
    await runUntilIdle({ now: afterDay(last) + 120_000 });
    for (const ds of [2, 3, 4]) {
      const found = (await pulse(on(ds)))('Spent::sum');
      expectResult(found, compare(exposedBy(ds), spent(ds)), `day ${ds}`);
    }
    const again = await pointsOf('Spent::sum');
    const same = again.filter(
      (point, place) => JSON.stringify(point) === JSON.stringify(seen[place]),
    );
    expect(same.map(({ ds }) => ds)).toEqual([0, 1].map((ds) => dateOf(firstDay + ds)));
    expect(again.length).toBeGreaterThan(4);
    const reads = ['Spent::sum', 'All::composite_sum'];
    const others = (some: Awaited<ReturnType<typeof moments>>) =>
      some.filter(({ metric, ds }) => !reads.includes(metric) && ds <= firstDay + last);
    expect(others(await moments())).toEqual(others(before));
  });

  test('before the seven days of CUPED, or of another ID type, loads nothing', async () => {
    await upload(-40, [{ metric: 'Spent::sum', unit: 'u-1', ds: -40, value: 900 }]);
    await runUntilIdle({ now: afterDay(last) + 180_000 });
    const before = await moments();
    const loaded = () =>
      env.DB.prepare("select loadedTime from analyses where id = 'uploads'").first();
    const time = await loaded();
    await upload(-40, [{ metric: 'Spent::sum', unit: 'u-1', ds: -40, value: 901 }]);
    const ofCompany = ['Spent::sum', 'Bought::sum'].map((metric) => ({
      ...{ metric, unit: 'u-1', ds: 3, value: 902 },
    }));
    expect(await upload(3, ofCompany, 'companyID')).toMatchObject({ status: 201 });
    await runUntilIdle({ now: afterDay(last) + 240_000 });
    expect([await moments(), await loaded()]).toEqual([before, time]);
  });

  test('that is being loaded begins its load again', async () => {
    const [ds, now] = [last + 1, afterDay(last + 1)];
    const isUnderWay = () =>
      env.DB.prepare(
        "select 1 as found from analysis_runs where id = 'uploads' and metric = 'Spent::sum' and nextUnit >= 'u-1' and ds = ?",
      )
        .bind(firstDay + ds)
        .first('found');
    for (let runs = 0; runs < 400 && !(await isUnderWay()); runs++)
      await runJob({ now, chunkSize: 8, trips: 10 });
    expect(await isUnderWay()).toBe(1);
    const row = { metric: 'Spent::sum', unit: 'u-0', ds, value: 300 };
    rows.push(row);
    await upload(ds, [row]);
    await runUntilIdle({ now: now + 60_000, chunkSize: 8 });
    expectResult((await pulse(on(ds)))('Spent::sum'), compare(units, spent(ds)), 'its day');
  });

  test('leaves the results of a decided experiment as they are', async () => {
    const resultsOf = async () => {
      const of = await pulse(on(last));
      return metrics.map(({ name, type }) => of(`${name}::${type}`));
    };
    const [before, results] = [await moments(), await resultsOf()];
    await ok('PUT', `${path}/make_decision`, { id: 'test', decisionReason: 'It sells more.' });
    await upload(3, [{ metric: 'Spent::sum', unit: 'u-3', ds: 3, value: 700 }]);
    await upload(3, [{ metric: 'Bought::sum', unit: 'u-3', ds: 3, value: 700 }]);
    await runUntilIdle({ now: afterDay(last + 1) + 120_000 });
    expect([await moments(), await resultsOf()]).toEqual([before, results]);
  });
});
