import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import worker from '../../src/index.ts';
import { base, call, costOf, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { allowMoreTrips } from '../support/responses.ts';

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
    expect(await ok('GET', location)).toEqual([{ ...value, date: day }]);
  });

  test('accepts listed values without a warning, but not of another day', async () => {
    await load([value]);
    const { data } = await list();
    const again = await load(data);
    expect(again.body).not.toHaveProperty('warnings');
    expect((await list()).data).toEqual(data);
    const other = await load([value, { ...value, date: '2026-01-02' }]);
    expect([other.status, propertiesOf(other)]).toEqual([400, ['values.1.date']]);
  });

  test('makes the parts of a ratio null where they are left out', async () => {
    const { numerator: _numerator, denominator: _denominator, ...bare } = value;
    await load([bare]);
    expect((await list()).data).toEqual([
      { ...bare, numerator: null, denominator: null, date: day },
    ]);
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
    expect(data[3]).toEqual({ ...next, date: day });
  });

  test('keeps apart what differs in type, unit or day', async () => {
    await load([value, { ...value, metricType: 'mean' }, { ...value, unitType: 'overall' }]);
    await load([value], '2026-01-02');
    expect((await list()).data).toHaveLength(3);
    expect(await ok('GET', 'metrics/values?date=2026-01-02')).toEqual([
      { ...value, date: '2026-01-02' },
    ]);
  });

  test('lets the last of two equal rows of one call win', async () => {
    const answer = await load([value, { ...value, value: 2 }]);
    expect(answer.data).toEqual({ accepted: 2 });
    expect((await list()).data).toEqual([{ ...value, value: 2, date: day }]);
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
    expect(oldest).toEqual({ ...value, metricName: 'metric 1', date: day });
    expect((await list('&metricName=metric+1&metricType=ratio')).data).toHaveLength(2);
    expect((await list('&metricType=mean')).data).toHaveLength(1);
    expect(propertiesOf(await list('&metricType=median'))).toEqual(['metricType']);
  });

  test('needs one day, or both ends of a range', async () => {
    const cases: [query: string, property: string][] = [
      ['startDate=2026-01-01', 'endDate'],
      ['endDate=2026-01-01', 'startDate'],
      ['startDate=2026-01-02&endDate=2026-01-01', 'endDate'],
      ['startDate=2026-01-32&endDate=2026-02-01', 'startDate'],
      ['date=2026-01-01&startDate=2026-01-01&endDate=2026-01-02', 'date'],
    ];
    for (const [query, property] of cases) {
      const answer = await call('GET', `metrics/values?${query}`);
      expect([query, answer.status, ...propertiesOf(answer)]).toEqual([query, 400, property]);
    }
  });

  test('lists a range newest day first, on one page and through the links, both ways', async () => {
    for (const date of ['2026-01-02', '2026-01-04', '2026-01-01', '2026-01-03', '2026-01-05'])
      await load(
        [1, 2].map((place) => ({ ...value, metricName: `${date} ${place}` })),
        date,
      );
    const range = 'metrics/values?startDate=2026-01-02&endDate=2026-01-04';
    const all = await call('GET', range);
    expect(namesOf(all.data)).toEqual(
      [4, 3, 2].flatMap((date) => [`2026-01-0${date} 2`, `2026-01-0${date} 1`]),
    );
    for (const { metricName, date } of all.data) expect(metricName).toContain(date);
    expect(all.body.pagination.totalItems).toBe(6);
    const { forwards, backwards } = await walk(`${range}&limit=2`);
    expect(forwards).toEqual(namesOf(all.data));
    expect(backwards).toEqual(namesOf(all.data));
    const one = await call('GET', 'metrics/values?startDate=2026-01-03&endDate=2026-01-03');
    expect(namesOf(one.data)).toEqual(['2026-01-03 2', '2026-01-03 1']);
    const named = await call('GET', `${range}&metricName=2026-01-03+1`);
    expect(namesOf(named.data)).toEqual(['2026-01-03 1']);
    expect((await call('GET', `${range}&metricType=mean`)).body.pagination.totalItems).toBe(0);
    expect((await call('GET', `${range}&metricType=ratio`)).body.pagination.totalItems).toBe(6);
  });
});

const namesOf = (values: { metricName: string }[]) => values.map(({ metricName }) => metricName);

/** The names on all pages of a list, by its links to the last page and back. */
async function walk(first: string) {
  const [forwards, backwards]: [string[], string[][]] = [[], []];
  let [path, last] = [first, first];
  while (path) {
    const { data, body } = await call('GET', path);
    forwards.push(...namesOf(data));
    [last, path] = [path, body.pagination.nextPage];
  }
  path = last;
  while (path) {
    const { data, body } = await call('GET', path);
    backwards.unshift(namesOf(data));
    path = body.pagination.previousPage;
  }
  return { forwards, backwards: backwards.flat() };
}

describe('removing metric values', () => {
  const remove = (query: Record<string, string>) =>
    call('DELETE', `metrics/values?${new URLSearchParams(query)}`);
  const removal = (index: number) => ({
    date: day,
    metricName: `metric ${index}`,
    metricType: 'ratio',
  });

  test('removes all units of one metric and day, reports their number, and keeps totals exact', async () => {
    await load(numbered(5));
    await load([{ ...value, metricName: 'metric 4', unitType: 'overall' }]);
    await load([{ ...value, metricName: 'metric 4', metricType: 'mean' }]);
    await load([{ ...value, metricName: 'metric 4' }], '2026-01-02');
    const answer = await remove(removal(4));
    expect([answer.status, answer.data]).toEqual([200, { removed: 2 }]);
    expect(costOf(answer).trips).toBe(2);
    const left = await list();
    expect(left.data.map(({ metricType }: typeof value) => metricType)).toEqual([
      'mean',
      ...Array.from({ length: 4 }, () => 'ratio'),
    ]);
    const totalOf = async (query = '') => (await list(query)).body.pagination.totalItems;
    expect(await totalOf()).toBe(5);
    expect(await totalOf('&metricType=ratio')).toBe(4);
    expect(await totalOf('&metricName=metric+4')).toBe(1);
    expect(await ok('GET', 'metrics/values?date=2026-01-02')).toHaveLength(1);
    await load([{ ...value, metricName: 'metric 4' }]);
    expect(namesOf((await list()).data)[0]).toBe('metric 4');
    expect(await totalOf()).toBe(6);
  });

  test('is an entry in the audit log, unless nothing was removed', async () => {
    await load(numbered(1));
    expect((await remove(removal(0))).data).toEqual({ removed: 1 });
    expect((await remove(removal(0))).data).toEqual({ removed: 0 });
    const log = await ok('GET', 'audit_logs?kind=metric_values');
    expect(log.map(({ action }: { action: string }) => action)).toEqual(['delete', 'import']);
    expect(log[0].changes).toContainEqual({ property: 'removed', new: 1 });
  });

  test.each(['date', 'metricName', 'metricType'])('is 400 without %s', async (property) => {
    await load(numbered(1));
    const { [property]: _left, ...query }: Record<string, string> = removal(0);
    const answer = await remove(query);
    expect([answer.status, ...propertiesOf(answer)]).toEqual([400, property]);
    expect((await list()).data).toHaveLength(1);
  });

  test('stores nothing in a dry run, and counts correctly along with imports', async () => {
    allowMoreTrips('changes that others overtake are computed again');
    await load(numbered(3));
    const query = new URLSearchParams({ ...removal(1), dryRun: 'true' });
    expect((await call('DELETE', `metrics/values?${query}`)).data).toEqual({ removed: 1 });
    expect((await list()).data).toHaveLength(3);
    const answers = await Promise.all([
      load([{ ...value, metricName: 'metric 1', unitType: 'overall' }]),
      remove(removal(1)),
      load(numbered(5, 10)),
    ]);
    const removed = answers[1].data.removed;
    const { data, body } = await list();
    expect(data).toHaveLength(9 - removed);
    expect(body.pagination.totalItems).toBe(9 - removed);
  });
});

describe('many changes of metric values as one', () => {
  const query = new URLSearchParams({ date: day, metricName: 'metric 1', metricType: 'ratio' });
  const removal = { method: 'DELETE', path: `${base}/metrics/values?${query}` };
  const total = async () => {
    const { data, body } = await list();
    return [data.length, body.pagination.totalItems];
  };

  test('that remove some twice count them once', async () => {
    await load(numbered(3));
    await ok('POST', 'changes', { changes: [removal, removal] });
    expect(await total()).toEqual([2, 2]);
  });

  test('that bring some and remove them leave none', async () => {
    const body = { date: day, values: numbered(3) };
    const bringing = { method: 'POST', path: `${base}/metrics/values`, body };
    await ok('POST', 'changes', { changes: [bringing, removal] });
    expect(await total()).toEqual([2, 2]);
  });
});

describe('what lists of metric values read', () => {
  test('is the rows of one page through links, at any depth, also after removals', async () => {
    for (const from of [0, 1000]) await load(numbered(1000, from));
    for (const index of [1999, 1500, 0]) {
      const query = new URLSearchParams({
        date: day,
        metricName: `metric ${index}`,
        metricType: 'ratio',
      });
      await ok('DELETE', `metrics/values?${query}`);
    }
    const names: string[] = [];
    let path = `metrics/values?date=${day}&limit=100`;
    while (path) {
      const answer = await call('GET', path);
      names.push(...namesOf(answer.data));
      expect(costOf(answer).trips).toBe(1);
      expect(costOf(answer).read).toBeLessThanOrEqual(210);
      expect(answer.body.pagination.totalItems).toBe(1997);
      path = answer.body.pagination.nextPage;
    }
    expect(new Set(names).size).toBe(1997);
    expect([names[0], names.at(-1)]).toEqual(['metric 1998', 'metric 1']);
  });

  test('is as little of a range of years', async () => {
    const days = Array.from({ length: 800 }, (_, index) =>
      new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10),
    );
    await env.DB.prepare(
      `insert into metric_values (date, position, metricName, metricType, unitType, value)
       select days.value, types.key + 1, 'metric ' || types.value, types.value, 'userID', 1
       from json_each(?) as days, json_each('["sum", "mean", "ratio", "funnel"]') as types`,
    )
      .bind(JSON.stringify(days))
      .run();
    await env.DB.prepare("insert into pending values ('metric_values')").run();
    await worker.scheduled(createScheduledController(), env);
    for (const [query, total] of [
      ['startDate=2025-01-01&endDate=2025-12-31', 365 * 4],
      ['startDate=2025-07-15&endDate=2026-07-14', 365 * 4],
      ['startDate=2025-07-15&endDate=2026-07-14&metricType=sum', 365],
      ['startDate=2020-01-01&endDate=2029-12-31', 800 * 4],
    ] as const) {
      const answer = await call('GET', `metrics/values?${query}&limit=10`);
      expect([query, answer.body.pagination.totalItems]).toEqual([query, total]);
      expect([query, costOf(answer).read <= 40]).toEqual([query, true]);
    }
    await load(numbered(3), '2025-07-15');
    const { body } = await call('GET', 'metrics/values?date=2025-07-15');
    expect(body.pagination.totalItems).toBe(7);
  });

  test('is no more where the day has 200,000, also for one metric, one type and a range', async () => {
    await env.DB.batch(
      [
        `with recursive n (i) as (select 1 union all select i + 1 from n where i < 200000)
         insert into metric_values (date, position, metricName, metricType, unitType, value)
         select ?, i, 'metric ' || i, iif(i % 2, 'sum', 'mean'), 'userID', i from n`,
        `insert into metric_value_counts select '2026', json_group_object(? || ' ' || metricType, many)
         from (select metricType, count(*) as many from metric_values group by metricType)`,
      ].map((sql) => env.DB.prepare(sql).bind(day)),
    );
    const at = encodeURIComponent(btoa(JSON.stringify([day, 100_001])));
    const lists: [query: string, first: number, total: number][] = [
      [`date=${day}`, 100_000, 200_000],
      [`date=${day}&metricType=sum`, 99_999, 100_000],
      ['startDate=2025-12-31&endDate=2026-01-02', 100_000, 200_000],
      ['startDate=2025-12-31&endDate=2026-01-02&metricType=sum', 99_999, 100_000],
    ];
    for (const [query, first, total] of lists) {
      const answer = await call('GET', `metrics/values?${query}&limit=10&page=5&after=${at}`);
      expect(answer.data[0].value).toBe(first);
      expect(answer.body.pagination.totalItems).toBe(total);
      expect([query, costOf(answer).read <= 30]).toEqual([query, true]);
    }
    const named = await list('&metricName=metric+777');
    expect(named.data).toHaveLength(1);
    expect(costOf(named).read).toBeLessThanOrEqual(5);
    await load(numbered(20), '2026-01-02');
    await load([{ ...value, metricName: 'metric 777' }], '2026-01-02');
    const range = 'startDate=2026-01-01&endDate=2026-01-02&metricName=metric+777';
    for (const query of [range, `${range}&metricType=ratio`, `${range}&metricType=sum`]) {
      const ranged = await call('GET', `metrics/values?${query}&limit=1`);
      expect(ranged.data[0].metricName).toBe('metric 777');
      expect([query, costOf(ranged).read <= 8]).toEqual([query, true]);
    }
    const replaced = await load([{ ...value, metricName: 'metric 777', metricType: 'sum' }]);
    expect(costOf(replaced).read).toBeLessThanOrEqual(20);
    const query = new URLSearchParams({ date: day, metricName: 'metric 777', metricType: 'sum' });
    const removed = await call('DELETE', `metrics/values?${query}`);
    expect(costOf(removed).read).toBeLessThanOrEqual(20);
  });
});
