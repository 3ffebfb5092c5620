import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { call, costOf, ok, send } from '../support/client.ts';
import { makeGate, makeMetric, unique } from '../support/factories.ts';

const pathOf = (id: string) => `metrics/${encodeURIComponent(id)}`;
const create = (body: object) => call('POST', 'metrics', { body });
const propertiesOf = ({ body }: { body: { errors: { property: string }[] } }) =>
  body.errors.map(({ property }) => property);

const criterion = {
  type: 'value',
  condition: 'in',
  column: 'country',
  values: ['DE', 'AT'],
  nullVacuousOverride: true,
};

const warehouseNative = {
  aggregation: 'count',
  numeratorAggregation: 'sum',
  denominatorAggregation: 'count_distinct',
  metricSourceName: 'orders',
  denominatorMetricSourceName: 'visits',
  valueColumn: 'amount',
  denominatorValueColumn: 'visit_id',
  criteria: [criterion],
  denominatorCriteria: [{ condition: 'non_null', column: 'visit_id' }],
  metricSources: [{ metricSourceName: 'orders', criteria: [criterion], valueColumn: 'amount' }],
  waitForCohortWindow: true,
  denominatorCustomRollupStart: 0,
  denominatorCustomRollupEnd: 7,
  denominatorRollupTimeWindow: 'custom',
  rollupTimeWindow: 'custom',
  funnelCalculationWindow: 3,
  funnelCountDistinct: 'sessions',
  funnelEvents: [
    {
      criteria: [criterion],
      metricSourceName: 'orders',
      name: 'Paid',
      sessionIdentifierField: 'session',
    },
  ],
  funnelStartCriteria: 'start_event',
  metricDimensionColumns: ['country'],
  metricDimensionLimits: [{ name: 'country', limit: 10 }],
  metricBakeDays: 2,
  loadingWindow: 1,
  valueThreshold: 0.5,
  allowNullRatioDenominator: false,
  funnelStrictOrdering: true,
  funnelUseExposureAsFirstEvent: false,
  funnelTimeToConvert: true,
  funnelTimestampAllowanceMs: 500,
  winsorizationHigh: 1,
  winsorizationLow: 0,
  winsorizationHighDenominator: 0.99,
  winsorizationLowDenominator: 0.01,
  cupedAttributionWindow: 7,
  customRollUpStart: 1,
  customRollUpEnd: 14,
  onlyIncludeUsersWithConversionEvent: true,
  denominatorCustomRollupMeasureInMinutes: false,
  customRollupMeasureInMinutes: true,
  percentile: 95,
  retentionEnd: 14,
  retentionLength: 7,
  logTransformBase: 10,
  cap: 1000,
  surrogateMetricMSE: 0.2,
  useLogTransform: true,
  useSecondaryRetentionEvent: false,
  components: [
    {
      operator: '+',
      aggregation: 'sum',
      metricSourceName: 'orders',
      name: 'Orders',
      valueColumn: 'amount',
      criteria: [criterion],
    },
  ],
};

const count = { name: 'visit', type: 'count' };
const value = { name: 'purchase', type: 'value' };
const metricsOf = (...names: string[]) => names.map((name) => ({ name, type: 'sum' }));

describe('creating a metric', () => {
  test('stores every property and reads it back, in the answer, alone, in the list and in its history', async () => {
    const body = {
      name: unique('Revenue'),
      type: 'ratio',
      isVerified: true,
      isReadOnly: true,
      isPermanent: true,
      unitTypes: ['stableID', 'userID'],
      metricEvents: [
        { name: 'purchase', type: 'metadata', metadataKey: 'price', criteria: [criterion] },
        { ...count, criteria: [] },
      ],
      metricComponentMetrics: metricsOf('orders', 'visits'),
      description: 'Total of all purchases.',
      directionality: 'decrease',
      tags: ['core', 'finance'],
      rollupTimeWindow: 'custom',
      customRollUpStart: 0,
      customRollUpEnd: 3,
      funnelEventList: [
        { name: 'visit', type: 'event_dau' },
        { name: 'cart', type: 'event_count_custom' },
      ],
      funnelCountDistinct: 'users',
      warehouseNative,
      team: 'Growth',
      teamID: 'team-1',
    };
    const { status, headers, data } = await create(body);
    expect(status).toBe(201);
    expect(data).toMatchObject({ ...body, id: `${body.name}::ratio`, isHidden: false, version: 1 });
    expect(data.warehouseNative).toEqual(warehouseNative);
    expect(data.lineage).toEqual({
      events: ['purchase', 'visit', 'cart'],
      metrics: ['orders::sum', 'visits::sum'],
    });
    expect(data.owner).toEqual({
      name: 'CONSOLE API',
      ownerID: 'root',
      ownerType: 'USER',
      ownerName: 'CONSOLE API',
      ownerEmail: '',
    });
    expect(data).toMatchObject({ creatorName: 'CONSOLE API', creatorEmail: null });
    expect(headers.get('Location')).toBe(`/console/v1/${pathOf(data.id)}`);
    expect(await ok('GET', pathOf(data.id))).toEqual(data);
    expect(await ok('GET', 'metrics?tags=finance&type=ratio')).toEqual([data]);
    const { snapshot } = await ok('GET', `${pathOf(data.id)}/versions/1`);
    expect(snapshot).toMatchObject(body);
  });

  test('fills in defaults', async () => {
    const data = await ok('POST', 'metrics', { name: unique('Bare'), type: 'event_count_custom' });
    expect(data).toMatchObject({
      description: '',
      directionality: 'increase',
      isVerified: false,
      isReadOnly: false,
      isPermanent: false,
      isHidden: false,
      unitTypes: ['userID'],
      tags: [],
      team: '',
      teamID: null,
      metricEvents: [],
      metricComponentMetrics: [],
      funnelEventList: [],
      lineage: { events: [data.name], metrics: [] },
    });
    expect(data).not.toHaveProperty('warehouseNative');
  });

  test('makes the criteria of an event an empty array where they are left out', async () => {
    const data = await makeMetric({ type: 'sum', metricEvents: [value] });
    expect(data.metricEvents).toEqual([{ ...value, criteria: [] }]);
  });

  test('accepts its own response as a body', async () => {
    const first = await makeMetric({ team: null });
    const again = await ok('POST', 'metrics', { ...first, name: unique('Copy') });
    expect(again.metricEvents).toEqual(first.metricEvents);
    expect(await ok('POST', pathOf(first.id), first)).toEqual(first);
  });

  test('counts an event that says no type', async () => {
    const { data } = await create({
      name: unique('Metric'),
      type: 'event_count_custom',
      metricEvents: [{ name: 'visit' }],
    });
    expect(data.metricEvents).toMatchObject([{ name: 'visit', type: 'count' }]);
  });
});

describe('creating an invalid metric', () => {
  test.each([
    ['name', { type: 'undefined' }],
    ['type', { name: 'A metric' }],
    ['name', { type: 'undefined', name: 'ab' }],
    ['name', { type: 'undefined', name: 'x'.repeat(201) }],
    ['name', { type: 'undefined', name: 'a::b' }],
    ['name', { type: 'undefined', name: 'half \ud800 a character' }],
    ['type', { name: 'A metric', type: 'median' }],
    ['description', { name: 'A metric', type: 'undefined', description: 'x'.repeat(1001) }],
    ['directionality', { name: 'A metric', type: 'undefined', directionality: 'up' }],
    ['funnelCountDistinct', { name: 'A metric', type: 'undefined', funnelCountDistinct: 'days' }],
  ])('is 400 for a wrong %s: %j', async (property, body) => {
    const answer = await create(body);
    expect([answer.status, ...propertiesOf(answer)]).toEqual([400, property]);
  });

  test.each([
    ['metricEvents.0.name', { metricEvents: [{ type: 'count' }] }],
    ['metricEvents.0.type', { metricEvents: [{ name: 'visit', type: 'median' }] }],
    ['metricEvents.1.metadataKey', { metricEvents: [count, { name: 'visit', type: 'metadata' }] }],
    ['metricEvents.0.criteria.0.condition', { metricEvents: [{ ...count, criteria: [{}] }] }],
    ['metricComponentMetrics.0.type', { metricComponentMetrics: [{ name: 'orders' }] }],
    ['funnelEventList.0.type', { funnelEventList: [{ name: 'visit', type: 'count' }] }],
    ['customRollUpEnd', { rollupTimeWindow: 'custom', customRollUpStart: 1 }],
    ['customRollUpEnd', { rollupTimeWindow: 'custom', customRollUpStart: 2, customRollUpEnd: 1 }],
    ['customRollUpEnd', { customRollUpStart: 2, customRollUpEnd: 1 }],
  ])('is 400 for %s in %j', async (property, body) => {
    const answer = await create({ name: unique('Wrong'), type: 'undefined', ...body });
    expect([answer.status, ...propertiesOf(answer)]).toEqual([400, property]);
  });

  test.each([
    ['aggregation', { aggregation: 'median' }],
    ['winsorizationHigh', { winsorizationHigh: 1.01 }],
    ['winsorizationLow', { winsorizationLow: -0.01 }],
    ['winsorizationHigh', { winsorizationLow: 0.9, winsorizationHigh: 0.1 }],
    [
      'winsorizationHighDenominator',
      { winsorizationLowDenominator: 0.9, winsorizationHighDenominator: 0.1 },
    ],
    ['funnelStartCriteria', { funnelStartCriteria: 'end_event' }],
    ['funnelCountDistinct', { funnelCountDistinct: 'events' }],
    ['rollupTimeWindow', { rollupTimeWindow: 'weekly' }],
    ['customRollUpStart', { rollupTimeWindow: 'custom', customRollUpEnd: 1 }],
    [
      'denominatorCustomRollupEnd',
      { denominatorRollupTimeWindow: 'custom', denominatorCustomRollupStart: 1 },
    ],
    ['criteria.0.type', { criteria: [{ ...criterion, type: 'event' }] }],
    ['criteria.0.condition', { criteria: [{ ...criterion, condition: 'like' }] }],
    ['cap', { cap: '10' }],
  ])('is 400 for warehouseNative.%s in %j', async (property, wrong) => {
    const body = { name: unique('Wrong'), type: 'undefined', warehouseNative: wrong };
    const answer = await create(body);
    expect([answer.status, ...propertiesOf(answer)]).toEqual([400, `warehouseNative.${property}`]);
  });
});

describe('what computes a metric', () => {
  test('is another metric', async () => {
    const [name, type] = [unique('Own'), 'composite'];
    const other = await create({ name: unique('Other'), type: 'event_count_custom' });
    const parts = (...metrics: object[]) => ({ metricComponentMetrics: metrics });
    const own = await create({ name, type, ...parts(other.data, { name, type }) });
    expect([own.status, ...propertiesOf(own)]).toEqual([400, 'metricComponentMetrics.1']);
  });

  test('is computed from no other that it computes', async () => {
    const [one, other] = ['One "] of', 'Other "] of'].map((name) => ({
      name: unique(name),
      type: 'composite',
    }));
    const change = (body: object) => ({ method: 'POST', path: '/console/v1/metrics', body });
    const changes = [
      change({ ...one, metricComponentMetrics: [other] }),
      change({ ...other, metricComponentMetrics: [one] }),
    ];
    const { status, body } = await call('POST', 'changes', { body: { changes } });
    const fault = { property: 'changes.1.metricComponentMetrics.0' };
    expect([status, body.errors]).toMatchObject([400, [fault]]);
  });

  test.each([
    ['ratio', {}, 'metricEvents'],
    ['ratio', { metricEvents: [count] }, 'metricEvents'],
    ['ratio', { metricComponentMetrics: metricsOf('orders') }, 'metricComponentMetrics'],
    [
      'ratio',
      { warehouseNative: { numeratorAggregation: 'sum' } },
      'warehouseNative.denominatorAggregation',
    ],
    ['funnel', {}, 'funnelEventList'],
    ['funnel', { funnelEventList: [{ name: 'a', type: 'event_dau' }] }, 'funnelEventList'],
    ['funnel', { warehouseNative: { funnelEvents: [] } }, 'warehouseNative.funnelEvents'],
    ['composite', {}, 'metricComponentMetrics'],
    ['sum', {}, 'metricEvents'],
    ['sum', { metricEvents: [count] }, 'metricEvents'],
    ['sum', { warehouseNative: {} }, 'warehouseNative.aggregation'],
    ['mean', { warehouseNative: {} }, 'warehouseNative.aggregation'],
    ['user_warehouse', {}, 'warehouseNative.aggregation'],
    ['user_warehouse', { metricEvents: [count] }, 'warehouseNative.aggregation'],
    ['percentile', {}, 'warehouseNative.percentile'],
    ['percentile', { metricEvents: [value] }, 'warehouseNative.percentile'],
    ['undefined', {}, 'metricEvents'],
    ['undefined', { warehouseNative: {} }, 'warehouseNative.aggregation'],
  ])('is missing in a %s with %j: 400 names %s', async (type, body, property) => {
    const answer = await create({ name: unique('Undefined'), type, ...body });
    expect([answer.status, ...propertiesOf(answer)]).toEqual([400, property]);
  });

  test.each([
    ['ratio', { metricEvents: [count, value] }],
    ['ratio', { metricComponentMetrics: metricsOf('orders', 'visits') }],
    ['ratio', { metricEvents: [count], metricComponentMetrics: metricsOf('orders', 'visits') }],
    [
      'ratio',
      { warehouseNative: { numeratorAggregation: 'sum', denominatorAggregation: 'count' } },
    ],
    ['funnel', { funnelEventList: ['a', 'b'].map((name) => ({ name, type: 'event_user' })) }],
    ['funnel', { warehouseNative: { funnelEvents: [{ name: 'Paid' }] } }],
    ['composite', { metricComponentMetrics: metricsOf('orders') }],
    ['composite_sum', { warehouseNative: { components: [{ operator: '+' }] } }],
    ['sum', { metricEvents: [value] }],
    ['sum', { metricEvents: [{ ...value, type: 'metadata', metadataKey: 'price' }] }],
    ['sum', { warehouseNative: { aggregation: 'sum' } }],
    ['composite_sum', { metricEvents: [value] }],
    ['mean', { metricEvents: [value] }],
    ['event_user', { metricEvents: [count] }],
    ['event_count_custom', {}],
    ['user_warehouse', { warehouseNative: { aggregation: 'sum' } }],
    ['user_warehouse', { warehouseNative: { components: [{ operator: '+' }] } }],
    ['percentile', { warehouseNative: { percentile: 95 } }],
    ['undefined', { metricEvents: [count] }],
    ['undefined', { warehouseNative: { aggregation: 'sum' } }],
  ])('is enough in a %s with %j', async (type, body) => {
    const answer = await create({ name: unique('Defined'), type, ...body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  });

  test.each(['mean', 'event_user', 'composite_sum', 'event_count_custom'])(
    'is, in a bare %s, the events of its own name',
    async (type) => {
      const name = unique('Own');
      const { status, data } = await create({ name, type });
      expect(status).toBe(201);
      expect(data).toMatchObject({ metricEvents: [], lineage: { events: [name], metrics: [] } });
      expect(await ok('GET', pathOf(data.id))).toEqual(data);
    },
  );

  test('is the whole window where a custom one has no ends', async () => {
    const windows = { rollupTimeWindow: 'custom', denominatorRollupTimeWindow: 'custom' };
    const body = {
      rollupTimeWindow: 'custom',
      warehouseNative: { aggregation: 'sum', ...windows },
    };
    const { status, data } = await create({ name: unique('Whole'), type: 'undefined', ...body });
    expect(status).toBe(201);
    expect(await ok('GET', pathOf(data.id))).toMatchObject(body);
  });

  test('must still be there after an update', async () => {
    const sides = { numeratorAggregation: 'sum', denominatorAggregation: 'count' };
    const { id } = await makeMetric({ type: 'ratio', metricEvents: [], warehouseNative: sides });
    const body = { warehouseNative: { numeratorAggregation: 'sum' } };
    const answer = await call('POST', pathOf(id), { body });
    expect(answer.status).toBe(400);
    expect(propertiesOf(answer)).toEqual(['warehouseNative.denominatorAggregation']);
  });
});

test('a metric that is stored without a definition can be changed, and completed', async () => {
  const { id } = await makeMetric({ type: 'percentile', warehouseNative: { percentile: 95 } });
  await env.DB.prepare("update metrics set settings = '{}' where id = ?").bind(id).run();
  await ok('POST', pathOf(id), { tags: ['known'] });
  const refused = await call('POST', pathOf(id), { body: { warehouseNative: { cap: 1 } } });
  expect(propertiesOf(refused)).toEqual(['warehouseNative.percentile']);
  const completed = await ok('POST', pathOf(id), { warehouseNative: { percentile: 50 } });
  expect(completed.warehouseNative).toEqual({ percentile: 50 });
});

describe('the id of a metric', () => {
  test.each([
    'Großer Umsatz 50%/Tag',
    '売上 ?a=b&c#d;e',
    'a%2Fb%25c%20d',
    '../..\\x+y',
    'ends with a colon:',
  ])('is its name and type, and works in a path: %s', async (name) => {
    const { headers, data } = await create({ name, type: 'undefined', metricEvents: [count] });
    expect(data.id).toBe(`${name}::undefined`);
    const location = headers.get('Location') ?? '';
    expect(location).toBe(`/console/v1/${pathOf(data.id)}`);
    expect(await ok('GET', location)).toEqual(data);
    expect(await ok('POST', location, { tags: ['odd'] })).toMatchObject({ id: data.id, name });
    expect((await ok('GET', `${location}/versions`)).length).toBe(2);
    expect((await call('DELETE', location)).status).toBe(200);
    expect((await call('GET', location)).status).toBe(404);
    expect((await ok('PUT', `${location}/versions/1/restore`)).version).toBe(4);
  });

  test('is not found where the path cannot be decoded', async () => {
    expect((await send('GET', 'metrics/50%::sum')).status).toBe(404);
  });

  test('is 409 where it is taken, and free for another type', async () => {
    const { name } = await makeMetric();
    const again = await create({ name, type: 'event_count_custom' });
    expect(again.status).toBe(409);
    expect(again.body.message).toBe('Name is already in use');
    expect((await create({ name, type: 'mean' })).status).toBe(201);
  });
});

describe('renaming a metric', () => {
  const rename = (id: string, name: string) => call('POST', pathOf(id), { body: { name } });
  const change = (found: { changes: { property: string }[] }, property: string) =>
    found.changes.find((one) => one.property === property);

  test('gives it the id of its new name, and keeps all else', async () => {
    const tag = unique('tag');
    const before = await makeMetric({ tags: [tag], description: 'Unmistakable.' });
    const name = unique('Renamed');
    const { data, headers } = await rename(before.id, name);
    const id = `${name}::${before.type}`;
    const { lastModifiedTime } = data;
    expect(data).toEqual({ ...before, id, name, version: 1, lastModifiedTime });
    expect(headers.get('ETag')).toBe('"1"');
    expect(await ok('GET', pathOf(id))).toEqual(data);
    const listed = await call('GET', `metrics?tags=${encodeURIComponent(tag)}`);
    expect(listed.data).toEqual([data]);
    expect(listed.body.pagination.totalItems).toBe(1);
    const words = encodeURIComponent(name);
    const found = await call('GET', `metrics?search=${words}`);
    expect([found.data, found.body.pagination.totalItems]).toEqual([[data], 1]);
    expect(await ok('GET', `metrics?search=${encodeURIComponent(before.name)}`)).toEqual([]);
  });

  test('leaves a 404 that names the new id, and both histories', async () => {
    const before = await makeMetric();
    const { data: after } = await rename(before.id, unique('Renamed'));
    for (const method of ['GET', 'POST', 'DELETE']) {
      const body = method === 'POST' ? { tags: ['a'] } : undefined;
      const answer = await call(method, pathOf(before.id), { body });
      expect([method, answer.status]).toEqual([method, 404]);
      expect(answer.body.message).toContain(after.id);
    }
    const ids = { property: 'id', old: before.id, new: after.id };
    const [end, first] = await ok('GET', `${pathOf(before.id)}/versions`);
    expect(first).toMatchObject({ version: 1, action: 'create' });
    expect(end).toMatchObject({ version: 2, action: 'rename' });
    const [begin, ...none] = await ok('GET', `${pathOf(after.id)}/versions`);
    expect([begin.version, begin.action, none]).toEqual([1, 'rename', []]);
    for (const [revision, version, of] of [
      [end, 2, before],
      [begin, 1, after],
    ]) {
      expect(change(revision, 'id')).toEqual(ids);
      const read = await ok('GET', `${pathOf(of.id)}/versions/${version}`);
      expect(read.changes).toEqual(revision.changes);
      expect(read.snapshot).toMatchObject({ id: of.id, name: of.name });
    }
    expect(end.requestID).toBe(begin.requestID);
  });

  test('is no longer named once the id was used again, and what had it was deleted', async () => {
    const { id, name } = await makeMetric({ type: 'event_user' });
    const other = unique('Renamed');
    await rename(id, other);
    await rename(`${other}::event_user`, name);
    await ok('DELETE', pathOf(id));
    const { status, body } = await call('GET', pathOf(id));
    expect([status, body.message]).toEqual([404, `There is no metric with the id ${id}.`]);
  });

  test('is 409 where the name is taken, also by a rename at the same time', async () => {
    const [one, two, three] = [await makeMetric(), await makeMetric(), await makeMetric()];
    const taken = await rename(one.id, two.name);
    expect([taken.status, taken.body.message]).toEqual([409, 'Name is already in use']);
    const name = unique('Contested');
    const both = await Promise.all([rename(one.id, name), rename(three.id, name)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await ok('GET', pathOf(two.id))).toEqual(two);
  });

  test('is 409 with the referrers while something names it', async () => {
    const { id, name, type } = await makeMetric();
    const gate = await makeGate({ monitoringMetrics: [{ name, type }] });
    const refused = await rename(id, unique('Renamed'));
    expect(refused.status).toBe(409);
    expect(refused.body.references).toMatchObject([{ kind: 'gate', id: gate.id }]);
    await ok('PATCH', `gates/${gate.id}`, { monitoringMetrics: [] });
    expect((await rename(id, unique('Renamed'))).status).toBe(200);
  });

  test('is refused for another version, and stores nothing in a dry run', async () => {
    const { id, name } = await makeMetric();
    const body = { name: unique('Renamed') };
    const stale = await call('POST', pathOf(id), { body, headers: { 'If-Match': '"7"' } });
    expect(stale.status).toBe(412);
    const dry = await call('POST', `${pathOf(id)}?dryRun=true`, { body });
    expect(dry.data).toMatchObject(body);
    expect(await ok('GET', pathOf(id))).toMatchObject({ name, version: 1 });
    const wrong = await call('POST', pathOf(id), { body: { name: 'a::b' } });
    expect(propertiesOf(wrong)).toEqual(['name']);
  });

  test('and back, and by another metric, continues versions without a gap', async () => {
    const { id, name } = await makeMetric();
    const { data: away } = await rename(id, unique('Away'));
    const { data: back } = await rename(away.id, name);
    expect(back).toMatchObject({ id, name, version: 3 });
    const versionsOf = async (of: string) =>
      (await ok('GET', `${pathOf(of)}/versions`)).map(
        (found: { version: number }) => found.version,
      );
    expect(await versionsOf(id)).toEqual([3, 2, 1]);
    const again = await makeMetric({ name: away.name });
    expect(again).toMatchObject({ id: away.id, version: 3 });
    expect(await versionsOf(away.id)).toEqual([3, 2, 1]);
  });

  test('makes no two by a restore of a version from before', async () => {
    const before = await makeMetric();
    const { data: after } = await rename(before.id, unique('Renamed'));
    const restore = (id: string) => call('PUT', `${pathOf(id)}/versions/1/restore`);
    const refused = await restore(before.id);
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain(after.id);
    await ok('DELETE', pathOf(after.id));
    expect((await restore(before.id)).status).toBe(409);
    expect(await restore(after.id)).toMatchObject({ status: 200, data: { id: after.id } });
    await makeMetric({ name: before.name });
    await ok('DELETE', pathOf(before.id));
    expect((await restore(before.id)).status).toBe(409);
  });

  test('leaves uploaded values under the name they came with', async () => {
    const { id, name, type } = await makeMetric();
    const value = { metricName: name, metricType: type, unitType: 'userID', value: 3 };
    await ok('POST', 'metrics/values', { date: '2026-03-01', values: [value] });
    await rename(id, unique('Renamed'));
    const query = new URLSearchParams({ date: '2026-03-01', metricName: name });
    expect(await ok('GET', `metrics/values?${query}`)).toMatchObject([value]);
  });

  test('is one of many changes', async () => {
    const { id, type } = await makeMetric();
    const name = unique('Renamed');
    const path = (of: string) => `/console/v1/${pathOf(of)}`;
    const changes = [
      { method: 'POST', path: path(id), body: { description: 'First.' } },
      { method: 'POST', path: path(id), body: { name } },
      { method: 'POST', path: path(`${name}::${type}`), body: { tags: ['then'] } },
    ];
    await ok('POST', 'changes', { changes });
    const stored = { description: 'First.', tags: ['then'], version: 2 };
    expect(await ok('GET', pathOf(`${name}::${type}`))).toMatchObject(stored);
    expect(await ok('GET', `${pathOf(id)}/versions`)).toHaveLength(3);
  });
});

describe('updating a metric', () => {
  test('changes the given properties and keeps the others', async () => {
    const before = await makeMetric({ team: 'Growth', teamID: 'team-1', tags: ['a'] });
    const body = {
      description: 'New description.',
      tags: ['b'],
      isVerified: true,
      isReadOnly: true,
      isPermanent: true,
      warehouseNative,
      unitTypes: ['stableID'],
      team: 'Sales',
      teamID: 'team-2',
      directionality: 'decrease',
    };
    const after = await ok('POST', pathOf(before.id), body);
    expect(after).toMatchObject({ ...body, version: 2, metricEvents: before.metricEvents });
    expect(await ok('GET', pathOf(before.id))).toEqual(after);
    const cleared = await ok('POST', pathOf(before.id), { team: null, teamID: null });
    expect(cleared).toMatchObject({ team: '', teamID: null, isVerified: true, tags: ['b'] });
  });

  test('hides one and shows it again, also from its creation', async () => {
    const { id, isHidden } = await makeMetric({ isHidden: true });
    expect(isHidden).toBe(true);
    await ok('POST', pathOf(id), { isHidden: false });
    expect(await ok('GET', pathOf(id))).toMatchObject({ isHidden: false, version: 2 });
    expect(await ok('POST', pathOf(id), { isHidden: true })).toMatchObject({ isHidden: true });
  });

  test('changes one that is read-only', async () => {
    const { id } = await makeMetric({ isReadOnly: true });
    expect(await ok('POST', pathOf(id), { isReadOnly: false })).toMatchObject({ version: 2 });
  });

  test('hands it to another owner, whose e-mail stands for the name', async () => {
    const { id, owner } = await makeMetric();
    const mailed = await ok('POST', pathOf(id), { owner: { email: 'root@shop.test' } });
    expect(mailed.owner).toEqual({ ...owner, ownerEmail: 'root@shop.test' });
    const handed = await ok('POST', pathOf(id), {
      owner: { ownerID: 'u-2', email: 'u@shop.test' },
    });
    expect(handed.owner).toEqual({
      name: 'u@shop.test',
      ownerID: 'u-2',
      ownerType: 'USER',
      ownerName: 'u@shop.test',
      ownerEmail: 'u@shop.test',
    });
    const corrected = await ok('POST', pathOf(id), { owner: { email: 'v@shop.test' } });
    expect(corrected.owner).toEqual({
      ...handed.owner,
      name: 'v@shop.test',
      ownerName: 'v@shop.test',
      ownerEmail: 'v@shop.test',
    });
    const unmailed = await ok('POST', pathOf(id), { owner: { ownerID: 'u-3' } });
    expect(unmailed.owner).toMatchObject({ ownerID: 'u-3', ownerName: 'u-3', ownerEmail: '' });
  });

  test('is 400 for a body that changes nothing it knows', async () => {
    const { id } = await makeMetric();
    const answer = await call('POST', pathOf(id), { body: { type: 'ratio', lineage: {} } });
    expect(answer.status).toBe(400);
    expect(propertiesOf(answer)).toEqual(['type', 'lineage']);
  });
});

describe('dryRun in a body', () => {
  test('answers a new metric and stores nothing', async () => {
    const body = { name: unique('Dry'), type: 'sum', metricEvents: [value], dryRun: true };
    const { status, data } = await create(body);
    expect([status, data.version]).toEqual([201, 1]);
    expect(data).not.toHaveProperty('dryRun');
    expect((await call('GET', pathOf(data.id))).status).toBe(404);
    const stored = await create({ ...body, dryRun: false });
    expect(stored.status).toBe(201);
    const { snapshot } = await ok('GET', `${pathOf(data.id)}/versions/1`);
    expect(snapshot).not.toHaveProperty('dryRun');
  });

  test('answers an update and stores nothing', async () => {
    const { id, description } = await makeMetric();
    const body = { description: 'Not to be stored.', dryRun: true };
    expect(await ok('POST', pathOf(id), body)).toMatchObject({
      version: 2,
      ...{ description: body.description },
    });
    expect(await ok('GET', pathOf(id))).toMatchObject({ version: 1, description });
  });

  test('refuses what would be refused', async () => {
    const { id, name } = await makeMetric();
    const taken = await create({ name, type: 'event_count_custom', dryRun: true });
    expect(taken.status).toBe(409);
    expect((await create({ name, type: 'sum', dryRun: true })).status).toBe(400);
    const body = { tags: ['x'], dryRun: true };
    const stale = await call('POST', pathOf(id), { body, headers: { 'If-Match': '"7"' } });
    expect(stale.status).toBe(412);
  });

  test('is rejected in one change among many', async () => {
    const { id } = await makeMetric();
    const change = (body: object) => ({ method: 'POST', path: `/console/v1/${pathOf(id)}`, body });
    const changes = [change({ tags: ['x'] }), change({ description: 'Dry.', dryRun: true })];
    const answer = await call('POST', 'changes', { body: { changes } });
    expect([answer.status, answer.body.index]).toEqual([400, 1]);
    expect(await ok('GET', pathOf(id))).toMatchObject({ version: 1, tags: [] });
  });
});

describe('what a metric has to do with others', () => {
  test('cannot be deleted while a gate or a metric refers to it', async () => {
    const part = await makeMetric();
    const { name, type } = part;
    const whole = await makeMetric({
      type: 'composite',
      metricComponentMetrics: [{ name, type }],
    });
    const gate = await makeGate({ monitoringMetrics: [{ name, type }] });
    const refused = await call('DELETE', pathOf(part.id));
    expect(refused.status).toBe(409);
    expect(refused.body.references).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          kind: 'metric',
          id: whole.id,
          property: 'metricComponentMetrics',
        }),
        expect.objectContaining({ kind: 'gate', id: gate.id, property: 'monitoringMetrics' }),
      ]),
    );
    await ok('PATCH', `gates/${gate.id}`, { monitoringMetrics: [] });
    expect((await call('DELETE', pathOf(whole.id))).status).toBe(200);
    expect((await call('DELETE', pathOf(part.id))).status).toBe(200);
  });

  test('lists by type and tag', async () => {
    const tag = unique('tag');
    const first = await makeMetric({ tags: [tag] });
    const second = await makeMetric({ tags: [tag], type: 'undefined' });
    const third = await makeMetric({
      tags: [tag],
      type: 'percentile',
      warehouseNative: { percentile: 95 },
    });
    const idsOf = (found: { id: string }[]) => found.map(({ id }) => id).sort();
    const query = `tags=${encodeURIComponent(tag)}`;
    expect(idsOf(await ok('GET', `metrics?${query}`))).toEqual(
      [first.id, second.id, third.id].sort(),
    );
    expect(idsOf(await ok('GET', `metrics?${query}&type=undefined&type=percentile`))).toEqual(
      [second.id, third.id].sort(),
    );
    expect((await call('GET', 'metrics?type=median')).status).toBe(400);
  });

  test('costs one round trip to read and two to change', async () => {
    const { id } = await makeMetric();
    expect(costOf(await call('GET', pathOf(id))).trips).toBe(1);
    expect(costOf(await call('GET', 'metrics')).trips).toBe(1);
    expect(costOf(await call('POST', pathOf(id), { body: { tags: ['x'] } })).trips).toBe(2);
  });
});

test('GET /metrics/list is the list of metrics', async () => {
  await makeMetric();
  const { data, body } = await call('GET', 'metrics/list?limit=1');
  expect([data.length, body.pagination.all]).toEqual([1, '/console/v1/metrics/list']);
  expect((await call('POST', 'metrics/list', { body: {} })).status).toBe(405);
});

describe('a criterion on the sender of events', () => {
  const eventsOf = (sender: object) => [
    {
      name: 'sold',
      criteria: [{ type: 'sender', condition: 'in', values: ['server'], ...sender }],
    },
  ];
  const body = (sender: object) => ({
    ...{ name: unique('By sender'), type: 'event_count_custom' },
    metricEvents: eventsOf(sender),
  });

  test('is stored', async () => {
    const { data } = await create(body({}));
    expect((await ok('GET', pathOf(data.id))).metricEvents[0].criteria).toEqual([
      { type: 'sender', condition: 'in', values: ['server'] },
    ]);
  });

  test.each([
    ['condition', { condition: 'contains' }],
    ['condition', { condition: 'is_null', values: [] }],
    ['values.1', { values: ['server', 'SERVER'] }],
  ])('is 400 naming its %s for %j', async (property, sender) => {
    const answer = await create(body(sender));
    const named = `metricEvents.0.criteria.0.${property}`;
    expect([answer.status, ...propertiesOf(answer)]).toEqual([400, named]);
  });
});
