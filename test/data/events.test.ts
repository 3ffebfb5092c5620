import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, costOf, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { makeEvent, unique } from '../support/factories.ts';

beforeEach(emptyDatabase);

const record = (events: object[]) => call('POST', 'events', { body: { events } });
const propertiesOf = ({ body }: { body: { errors: { property: string }[] } }) =>
  body.errors.map(({ property }) => property);
const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ name: `event ${from + index}` }));

describe('recording events', () => {
  test('stores every property and lists it', async () => {
    const event = {
      timestamp: '1767225600000',
      name: 'purchase',
      source: 'shop',
      value: '19.90',
      userID: 'u-1',
      metadata: { currency: 'EUR', items: [1, { deep: null }], text: '0042' },
    };
    const answer = await record([event]);
    expect(answer.body).toEqual({
      message: 'Events recorded successfully.',
      data: { accepted: 1 },
    });
    expect(answer.headers.get('Location')).toBe('/console/v1/events');
    expect(await ok('GET', 'events')).toEqual([{ ...event, sender: 'management', eventID: null }]);
  });

  test('stores numbers as text and fills in absent properties', async () => {
    const before = Date.now();
    await record([{ timestamp: 1767225600000, name: ' sold ', value: 19.5 }]);
    await record([{ name: 'bare' }]);
    const [bare, sold] = await ok('GET', 'events');
    const empty = { source: '', userID: '', metadata: {}, sender: 'management', eventID: null };
    expect(sold).toEqual({ ...empty, timestamp: '1767225600000', name: 'sold', value: '19.5' });
    expect(bare).toMatchObject({ ...empty, name: 'bare', value: '' });
    expect(Number(bare.timestamp)).toBeGreaterThanOrEqual(before);
    expect(Number(bare.timestamp)).toBeLessThanOrEqual(Date.now());
  });

  test('keeps any text unchanged', async () => {
    const odd = ['007', '1e3', 'null', 'true', '"', "'; drop table events; --", 'ü🎈', 'a\nb'];
    await record(odd.map((value) => ({ name: 'odd', value, userID: value })));
    const listed = await ok('GET', 'events');
    expect(listed.map(({ value }: { value: string }) => value).reverse()).toEqual(odd);
    expect(listed.map(({ userID }: { userID: string }) => userID).reverse()).toEqual(odd);
  });

  test('lists the newest first by their own time, and the last recorded first for equal times', async () => {
    await record([
      { name: 'late', timestamp: 30 },
      { name: 'early', timestamp: 10 },
      { name: 'also late', timestamp: '30' },
      { name: 'middle', timestamp: 20 },
    ]);
    await record([{ name: 'recorded last', timestamp: 1 }]);
    const names = (await ok('GET', 'events')).map(({ name }: { name: string }) => name);
    expect(names).toEqual(['also late', 'late', 'middle', 'early', 'recorded last']);
  });

  test('accepts 1000 in one round trip, and refuses 1001', async () => {
    const most = await record(numbered(1000));
    expect(most.data).toEqual({ accepted: 1000 });
    expect(costOf(most).trips).toBe(1);
    const over = await record(numbered(1001));
    expect([over.status, ...propertiesOf(over)]).toEqual([400, 'events']);
    const none = await record([]);
    expect([none.status, ...propertiesOf(none)]).toEqual([400, 'events']);
    expect((await call('GET', 'events')).body.pagination.totalItems).toBe(1000);
  });

  test.each([
    ['events.3.name', {}],
    ['events.3.name', { name: '' }],
    ['events.3.name', { name: '..' }],
    ['events.3.timestamp', { name: 'x', timestamp: 'today' }],
    ['events.3.timestamp', { name: 'x', timestamp: 1.5 }],
    ['events.3.timestamp', { name: 'x', timestamp: -1 }],
    ['events.3.value', { name: 'x', value: {} }],
    ['events.3.metadata', { name: 'x', metadata: [] }],
  ])('stores none where one is wrong: 400 names %s in %j', async (property, wrong) => {
    const answer = await record([...numbered(3), wrong, ...numbered(3)]);
    expect([answer.status, ...propertiesOf(answer)]).toEqual([400, property]);
    expect(await ok('GET', 'events')).toEqual([]);
  });

  test('is 400 without events', async () => {
    const answer = await call('POST', 'events', { body: {} });
    expect([answer.status, ...propertiesOf(answer)]).toEqual([400, 'events']);
  });

  test('accepts events that are larger in the database than in the request', async () => {
    const numbers = Array.from({ length: 400 }, () => 1e20);
    const body = JSON.stringify({
      events: numbered(300).map((event) => ({ ...event, metadata: { numbers } })),
    }).replaceAll('100000000000000000000', '1e20');
    expect(body.length).toBeLessThan(1024 * 1024);
    expect((await call('POST', 'events', { body })).data).toEqual({ accepted: 300 });
    expect((await ok('GET', 'events?limit=1'))[0].metadata).toEqual({ numbers });
  });

  test('recognizes a long text of digits as not a number in linear time', {
    timeout: 2000,
  }, async () => {
    await record([{ name: 'long', timestamp: 1, userID: 'u-1', value: `${'1'.repeat(60_000)}x` }]);
  });

  test('refuses a time more than a day in the future, and stores nothing', async () => {
    const [day, minute] = [24 * 3600 * 1000, 60_000];
    for (const late of [Date.now() + day + minute, String(Date.now() + day + minute)]) {
      const answer = await record([...numbered(3), { name: 'x', timestamp: late }]);
      expect([answer.status, ...propertiesOf(answer)]).toEqual([400, 'events.3.timestamp']);
    }
    expect(await ok('GET', 'events')).toEqual([]);
    await record([{ name: 'tomorrow', timestamp: Date.now() + day - minute }]);
    expect(await ok('GET', 'events')).toHaveLength(1);
  });

  test('leaves one entry in the audit log', async () => {
    await record(numbered(3));
    const log = await ok('GET', 'audit_logs?kind=events');
    expect(log).toHaveLength(1);
    expect(log[0]).toMatchObject({ action: 'import', actorID: 'root' });
    expect(log[0].changes).toEqual([{ property: 'accepted', new: 3 }]);
  });

  test('stores nothing in a dry run, and once under one idempotency key', async () => {
    const body = { events: numbered(2) };
    expect((await call('POST', 'events?dryRun=true', { body })).data).toEqual({ accepted: 2 });
    expect(await ok('GET', 'events')).toEqual([]);
    const headers = { 'Idempotency-Key': 'once' };
    for (let count = 0; count < 2; count++) await call('POST', 'events', { body, headers });
    expect(await ok('GET', 'events')).toHaveLength(2);
  });

  test('can occur several times in POST /changes', async () => {
    const change = { method: 'POST', path: '/console/v1/events', body: { events: numbered(2) } };
    await ok('POST', 'changes', { changes: [change, change] });
    expect(await ok('GET', 'events')).toHaveLength(4);
  });

  test('loses no event and leaves no gap under concurrency', async () => {
    await Promise.all(Array.from({ length: 10 }, () => record(numbered(20))));
    const last = await call('GET', 'events?limit=20&page=10');
    expect(last.body.pagination.totalItems).toBe(200);
    expect(last.data).toHaveLength(20);
  });
});

describe('recording an event again', () => {
  const event = { name: 'paid', timestamp: 10, value: 7, userID: 'u-1', metadata: { a: 1, b: 2 } };
  const totalOf = async () => (await call('GET', 'events')).body.pagination.totalItems;

  test('stores it once if it has a time, also within a request, and reports all as accepted', async () => {
    const spelled = { ...event, timestamp: '10', value: '7', metadata: { b: 2, a: 1 } };
    expect((await record([event, spelled])).data).toEqual({ accepted: 2 });
    const again = await record([event]);
    expect([again.status, again.data]).toEqual([201, { accepted: 1 }]);
    expect(costOf(again).trips).toBe(2);
    expect(await ok('GET', 'events')).toHaveLength(1);
    expect((await call('GET', 'events/paid')).body.pagination.totalItems).toBe(1);
  });

  test.each([
    ['name', 'sold'],
    ['timestamp', 11],
    ['value', 8],
    ['userID', 'u-2'],
    ['metadata', { a: 1 }],
    ['unitIDs', { companyID: 'c-1' }],
    ['eventID', 'order-7'],
  ])('stores another event if its %s differs', async (property, value) => {
    await record([event]);
    await record([{ ...event, [property]: value }]);
    expect(await totalOf()).toBe(2);
  });

  test('stores each if it has neither a time nor an ID', async () => {
    const { timestamp: _, ...untimed } = event;
    for (let count = 0; count < 2; count++) await record([untimed, untimed]);
    expect(await totalOf()).toBe(4);
  });

  test('stores one of an ID, which is listed', async () => {
    await record([{ name: 'paid', eventID: 'order-7' }]);
    await record([{ name: 'paid again', eventID: 'order-7', value: 9 }]);
    expect(await ok('GET', 'events')).toMatchObject([{ name: 'paid', eventID: 'order-7' }]);
  });

  test.each([[''], ['x'.repeat(129)], [7], [null]])('refuses the ID %j', async (eventID) => {
    const answer = await record([{ ...event, eventID }]);
    expect([answer.status, ...propertiesOf(answer)]).toEqual([400, 'events.0.eventID']);
  });

  test('stores it once in POST /changes, in which it occurs twice', async () => {
    const change = { method: 'POST', path: '/console/v1/events', body: { events: [event] } };
    await ok('POST', 'changes', { changes: [change, change] });
    expect(await totalOf()).toBe(1);
  });

  test('stores it once under concurrency', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 6 }, async () => (await record([event])).status),
    );
    expect(statuses).toEqual(Array(6).fill(201));
    expect(await totalOf()).toBe(1);
  });

  test('reads at most 8,100 rows for 1,000 events, and writes at most 5,020', async () => {
    const events = Array.from({ length: 1000 }, (_, value) => ({ ...event, value }));
    const { read, written } = costOf(await record(events));
    expect(read).toBeLessThanOrEqual(8100);
    expect(written).toBeLessThanOrEqual(5020);
  });
});

describe('recording events with unit IDs', () => {
  test('stores each event by unit, for computing results', async () => {
    await record([
      { name: 'late', timestamp: 30, userID: 'u-1', value: '19.90' },
      { name: 'of nobody', timestamp: 20 },
      { name: 'early', timestamp: 10, userID: 'u-2', value: 'much' },
      { name: 'blank', timestamp: 1, userID: 'u-2', value: ' ' },
      { name: 'hash', timestamp: 2, userID: 'u-2', value: '0xff' },
      { name: 'huge', timestamp: 3, userID: 'u-2', value: '1e999' },
    ]);
    await record([{ name: 'next', timestamp: 5, userID: 'u-1', value: 7 }]);
    const units = 'select * from event_units order by seq';
    const userID = { unitType: 'userid' };
    expect((await env.DB.prepare(units).all()).results).toEqual([
      { ...userID, unitID: 'u-2', name: 'blank', timestamp: 1, seq: 1, number: null },
      { ...userID, unitID: 'u-2', name: 'hash', timestamp: 2, seq: 2, number: null },
      { ...userID, unitID: 'u-2', name: 'huge', timestamp: 3, seq: 3, number: null },
      { ...userID, unitID: 'u-2', name: 'early', timestamp: 10, seq: 4, number: null },
      { ...userID, unitID: 'u-1', name: 'late', timestamp: 30, seq: 6, number: 19.9 },
      { ...userID, unitID: 'u-1', name: 'next', timestamp: 5, seq: 7, number: 7 },
    ]);
  });

  test('stores each event under every ID in unitIDs, by ID type in lower case, and lists it without them', async () => {
    const unitIDs = { companyID: 'c-1', STABLEID: 's-1', 'Ünit type': 'ü', constructor: 'k' };
    const event = { timestamp: 10, name: 'paid', value: 7, userID: 'u-1' };
    expect((await record([{ ...event, unitIDs }])).body).toEqual({
      message: 'Events recorded successfully.',
      data: { accepted: 1 },
    });
    const units = await env.DB.prepare('select * from event_units').all();
    const row = { name: 'paid', timestamp: 10, seq: 1, number: 7 };
    expect(units.results).toEqual([
      { unitType: 'companyid', unitID: 'c-1', ...row },
      { unitType: 'constructor', unitID: 'k', ...row },
      { unitType: 'stableid', unitID: 's-1', ...row },
      { unitType: 'userid', unitID: 'u-1', ...row },
      { unitType: 'ünit type', unitID: 'ü', ...row },
    ]);
    const listed = { timestamp: '10', name: 'paid', source: '', value: '7', userID: 'u-1' };
    expect(await ok('GET', 'events')).toEqual([
      { ...listed, metadata: {}, sender: 'management', eventID: null },
    ]);
  });

  const numberedIDs = (count: number) =>
    Object.fromEntries(numbered(count).map(({ name }) => [name, 'x']));

  test.each<[string, unknown]>([
    ['a text', 'companyID'],
    ['an array', ['c-1']],
    ['null', null],
    ['21 IDs', numberedIDs(21)],
    ['an ID of 257 characters', { companyID: 'x'.repeat(257) }],
    ['an ID type of 257 characters', { ['x'.repeat(257)]: 'c-1' }],
    ['an empty ID', { companyID: '' }],
    ['an empty ID type', { '': 'c-1' }],
    ['an ID type with a control character', { 'a\0b': 'c-1' }],
    ['a number', { companyID: 7 }],
    ['two IDs of one type', { companyID: 'c-1', CompanyID: 'c-2' }],
    ['another userID', { USERID: 'u-2' }],
  ])('refuses %s as unitIDs, and stores nothing', async (_, unitIDs) => {
    const answer = await record([...numbered(3), { name: 'x', userID: 'u-1', unitIDs }]);
    expect([answer.status, ...propertiesOf(answer)]).toEqual([400, 'events.3.unitIDs']);
    expect(await ok('GET', 'events')).toEqual([]);
  });

  test('accepts 20 IDs of 256 characters, and one ID under several spellings of its type once', async () => {
    const long = Object.fromEntries(
      Object.keys(numberedIDs(20)).map((type) => [type.padEnd(256, '.'), '🎈'.repeat(256)]),
    );
    const spellings = { companyID: 'c-1', CompanyID: 'c-1', userID: 'u-1' };
    const events = [
      { name: 'long', unitIDs: long },
      { name: 'twice', userID: 'u-1', unitIDs: spellings },
    ];
    expect((await record(events)).data).toEqual({ accepted: 2 });
    const counts = 'select name, count(*) as units from event_units group by name';
    expect((await env.DB.prepare(counts).all()).results).toEqual([
      { name: 'long', units: 20 },
      { name: 'twice', units: 2 },
    ]);
  });
});

describe('listing events', () => {
  /** Returns all pages of a list by following its links. */
  async function walk(path: string) {
    const pages: Awaited<ReturnType<typeof call>>[] = [];
    for (let next: string | null = path; next; next = pages.at(-1)?.body.pagination.nextPage)
      pages.push(await call('GET', next));
    return pages;
  }

  test('reads only the rows of the page, also among events of one time', async () => {
    for (const from of [0, 1000, 2000]) await record(numbered(1000, from));
    const pages = await walk('events?limit=100');
    const names = pages.flatMap(({ data }) => data.map(({ name }: { name: string }) => name));
    expect(names).toEqual(
      numbered(3000)
        .map(({ name }) => name)
        .reverse(),
    );
    const costs = pages.map((page) => costOf(page));
    expect(costs[0]).toEqual({ trips: 1, read: 102, written: 0 });
    expect(costs.slice(1, -1)).toEqual(Array(28).fill({ trips: 1, read: 103, written: 0 }));
    expect(costs.at(-1)).toEqual({ trips: 1, read: 102, written: 0 });
    expect(pages.at(-1)?.body.pagination).toMatchObject({ pageNumber: 30, totalItems: 3000 });
    const back = await call('GET', pages.at(-1)?.body.pagination.previousPage);
    expect(back.data).toEqual(pages.at(-2)?.data);
    expect(costOf(back).read).toBe(103);
  });

  test('reads all rows up to a page requested by number, and only page rows by links', async () => {
    await record(numbered(1000));
    const byNumber = await call('GET', 'events?limit=10&page=50');
    expect(byNumber.data[0].name).toBe('event 509');
    expect(costOf(byNumber)).toEqual({ trips: 1, read: 502, written: 0 });
    const next = await call('GET', byNumber.body.pagination.nextPage);
    expect(next.data[0].name).toBe('event 499');
    expect(costOf(next)).toEqual({ trips: 1, read: 13, written: 0 });
  });

  test('reads no more rows among 200,000', async () => {
    await env.DB.prepare(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < 200000)
       insert into events (timestamp, name, source, value, userID, metadata)
       select i, 'event ' || i, '', '', '', '{}' from n`,
    ).run();
    const first = await call('GET', 'events?limit=10');
    expect(first.data[0].name).toBe('event 200000');
    expect(costOf(first).read).toBe(12);
    const deep = await call('GET', 'events?limit=10&page=10000');
    const next = await call('GET', deep.body.pagination.nextPage);
    const previous = await call('GET', deep.body.pagination.previousPage);
    expect(next.data[0].name).toBe('event 100000');
    expect(previous.data[0].name).toBe('event 100020');
    for (const answer of [next, previous]) expect(costOf(answer).read).toBe(13);
    const beyond = await call('GET', 'events?limit=10&page=20001');
    expect([beyond.data, beyond.body.pagination.nextPage]).toEqual([[], null]);
    expect(beyond.body.pagination.previousPage).toBe('/console/v1/events?page=20000&limit=10');
  });
});

describe('the events of a name', () => {
  test('are listed alone, newest first, and counted', async () => {
    const name = unique('Sold');
    for (const timestamp of [2, 3, 1]) await makeEvent({ name, timestamp });
    await makeEvent();
    const path = `events/${encodeURIComponent(name)}?limit=2`;
    const first = await call('GET', path);
    const times = ({ data }: typeof first) =>
      data.map(({ timestamp }: { timestamp: string }) => timestamp);
    expect([times(first), first.body.pagination.totalItems]).toEqual([['3', '2'], 3]);
    expect(costOf(first).read).toBeLessThanOrEqual(10);
    expect(times(await call('GET', first.body.pagination.nextPage))).toEqual(['1']);
    expect((await call('GET', 'events/never_recorded')).status).toBe(404);
  });
});
