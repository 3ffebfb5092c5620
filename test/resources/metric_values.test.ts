import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, costOf, emptyDatabase, ok } from '../support/client.ts';

beforeEach(emptyDatabase);

const day = '2026-01-01';
const list = (query = '') => call('GET', `metrics/values?date=${day}${query}`);
const load = (values: object[], date = day) =>
  call('POST', 'metrics/values', { body: { date, values } });
const propertiesOf = ({ body }: { body: { errors: { property: string }[] } }) =>
  body.errors.map(({ property }) => property);

const value = {
  metricName: 'Conversion',
  metricType: 'ratio',
  unitType: 'userID',
  value: 0.25,
  numerator: 250,
  denominator: 1000,
};

const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ ...value, metricName: `metric ${from + index}` }));

describe('importing metric values', () => {
  test('stores every property and lists it', async () => {
    const answer = await load([value]);
    expect(answer.body).toEqual({
      message: 'Metric values imported successfully.',
      data: { accepted: 1 },
    });
    const location = answer.headers.get('Location') ?? '';
    expect(location).toBe(`/console/v1/metrics/values?date=${day}`);
    expect(await ok('GET', location)).toEqual([value]);
  });

  test('makes the parts of a ratio null where they are left out', async () => {
    const { numerator: _numerator, denominator: _denominator, ...bare } = value;
    await load([bare]);
    expect((await list()).data).toEqual([{ ...bare, numerator: null, denominator: null }]);
  });

  test('replaces the value of the same metric, unit and day, at its place', async () => {
    await load(numbered(3));
    const next = { ...value, metricName: 'metric 1', value: 9, numerator: null, denominator: null };
    await load([{ ...value, metricName: 'new' }, next, { ...value, metricName: 'newer' }]);
    const { data, body } = await list();
    expect(body.pagination.totalItems).toBe(5);
    expect(data.map(({ metricName }: typeof value) => metricName)).toEqual([
      'newer',
      'new',
      'metric 2',
      'metric 1',
      'metric 0',
    ]);
    expect(data[3]).toEqual(next);
  });

  test('keeps apart what differs in type, unit or day', async () => {
    await load([value, { ...value, metricType: 'mean' }, { ...value, unitType: 'overall' }]);
    await load([value], '2026-01-02');
    expect((await list()).data).toHaveLength(3);
    expect(await ok('GET', 'metrics/values?date=2026-01-02')).toEqual([value]);
  });

  test('lets the last of two equal rows of one call win', async () => {
    const answer = await load([value, { ...value, value: 2 }]);
    expect(answer.data).toEqual({ accepted: 2 });
    expect((await list()).data).toEqual([{ ...value, value: 2 }]);
  });

  test('takes 1000 in one round trip, and not one more', async () => {
    const most = await load(numbered(1000));
    expect(most.data).toEqual({ accepted: 1000 });
    expect(costOf(most).trips).toBe(1);
    const over = await load(numbered(1001));
    expect([over.status, ...propertiesOf(over)]).toEqual([400, 'values']);
    const none = await load([]);
    expect([none.status, ...propertiesOf(none)]).toEqual([400, 'values']);
    expect((await list()).body.pagination.totalItems).toBe(1000);
  });

  test.each(['metricName', 'metricType', 'unitType', 'value'])(
    'stores none where one is without %s',
    async (property) => {
      const wrong = { ...value, [property]: undefined };
      const answer = await load([...numbered(3), wrong]);
      expect([answer.status, ...propertiesOf(answer)]).toEqual([400, `values.3.${property}`]);
      expect((await list()).data).toEqual([]);
    },
  );

  test.each([
    ['date', { values: [value] }],
    ['date', { date: '2026-02-30', values: [value] }],
    ['values', { date: day }],
    ['values.0.metricType', { date: day, values: [{ ...value, metricType: 'median' }] }],
    ['values.0.value', { date: day, values: [{ ...value, value: null }] }],
  ])('is 400 for a wrong %s in %j', async (property, body) => {
    const answer = await call('POST', 'metrics/values', { body });
    expect([answer.status, ...propertiesOf(answer)]).toEqual([400, property]);
  });

  test('leaves one entry in the audit log', async () => {
    await load(numbered(3));
    const log = await ok('GET', 'audit_logs?kind=metric_values');
    expect(log).toHaveLength(1);
    expect(log[0]).toMatchObject({ action: 'import' });
  });

  test('stores nothing in a dry run', async () => {
    const body = { date: day, values: [value] };
    expect((await call('POST', 'metrics/values?dryRun=true', { body })).status).toBe(201);
    expect((await list()).data).toEqual([]);
  });

  test('leaves no gap when many come at once', async () => {
    const calls = Array.from({ length: 10 }, (_, index) => load(numbered(20, index * 10)));
    await Promise.all(calls);
    expect((await list('&limit=10&page=11')).data).toHaveLength(10);
    expect((await list()).body.pagination.totalItems).toBe(110);
  });
});

describe('listing metric values', () => {
  test('needs a day that exists', async () => {
    for (const query of ['', '?date=', '?date=2026-02-30', '?date=1.1.2026']) {
      const answer = await call('GET', `metrics/values${query}`);
      expect([query, answer.status, ...propertiesOf(answer)]).toEqual([query, 400, 'date']);
    }
  });

  test('filters by name and type, and repeats date and filters in the links', async () => {
    await load(numbered(3));
    await load([
      { ...value, metricName: 'metric 1', unitType: 'overall' },
      { ...value, metricName: 'metric 1', metricType: 'mean' },
    ]);
    const named = await list('&metricName=metric+1&limit=2');
    expect(
      named.data.map(({ metricType, unitType }: typeof value) => [metricType, unitType]),
    ).toEqual([
      ['mean', 'userID'],
      ['ratio', 'overall'],
    ]);
    expect(named.body.pagination.totalItems).toBe(3);
    expect(named.body.pagination.nextPage).toContain(
      `/console/v1/metrics/values?date=${day}&metricName=metric+1&page=2&limit=2&after=`,
    );
    const [oldest] = await ok('GET', named.body.pagination.nextPage);
    expect(oldest).toEqual({ ...value, metricName: 'metric 1' });
    expect((await list('&metricName=metric+1&metricType=ratio')).data).toHaveLength(2);
    expect((await list('&metricType=mean')).data).toHaveLength(1);
    expect(propertiesOf(await list('&metricType=median'))).toEqual(['metricType']);
  });

  test('reads the rows of one page, whichever it is', async () => {
    for (const from of [0, 1000, 2000]) await load(numbered(1000, from));
    const names: string[] = [];
    const costs: number[] = [];
    let next: string | null = `metrics/values?date=${day}&limit=100`;
    while (next) {
      const { data, body, headers } = await call('GET', next);
      names.push(...data.map(({ metricName }: typeof value) => metricName));
      costs.push(costOf({ headers }).read);
      next = body.pagination.nextPage;
    }
    expect(names).toEqual(
      numbered(3000)
        .map(({ metricName }) => metricName)
        .reverse(),
    );
    expect(costs).toEqual([...Array(29).fill(102), 101]);
    const byNumber = await list('&limit=10&page=50');
    expect(byNumber.data[0].metricName).toBe('metric 2509');
    expect(costOf(byNumber)).toEqual({ trips: 1, read: 502, written: 0 });
  });

  test('reads no more where the day has 200,000, also for one metric', async () => {
    await env.DB.prepare(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < 200000)
       insert into metric_values (date, position, metricName, metricType, unitType, value)
       select ?, i, 'metric ' || i, 'sum', 'userID', i from n`,
    )
      .bind(day)
      .run();
    const first = await list('&limit=10');
    expect([first.data[0].value, costOf(first).read]).toEqual([200_000, 12]);
    const deep = await list('&limit=10&page=10000');
    const next = await call('GET', deep.body.pagination.nextPage);
    expect([next.data[0].value, costOf(next).read]).toEqual([100_000, 12]);
    const named = await list('&metricName=metric+777');
    expect(named.data).toHaveLength(1);
    expect(costOf(named).read).toBeLessThanOrEqual(6);
    const replaced = await load([{ ...value, metricName: 'metric 777', metricType: 'sum' }]);
    expect(costOf(replaced).read).toBeLessThanOrEqual(20);
  });
});
