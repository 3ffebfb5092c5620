import { env } from 'cloudflare:workers';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { callApp, keyOf } from '../support/apps.ts';
import { ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import {
  everyone,
  makeDynamicConfig,
  makeExperiment,
  makeGate,
  makeHoldout,
} from '../support/factories.ts';

const rows = async (table: string) =>
  (await env.DB.prepare(`select * from ${table}`).all()).results;

const log = (events: unknown, more: object = {}, options: object = {}) =>
  callApp('/v1/log_event', { body: { events, ...more }, ...options });

/** Sends a large body as SDKs do. */
const logZipped = (body: object, options: object = {}) =>
  callApp('/v1/log_event?gz=1', { raw: gzipSync(JSON.stringify(body)), ...options });

const past = Date.UTC(2026, 0, 1);
const user = { userID: 'u-1' };

const ofUsers = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    eventName: 'purchase',
    user: { userID: `u-${index}` },
    value: index,
    metadata: { currency: 'EUR' },
    time: past + index,
  }));

/** The cost in the headers of a response. */
function costOf(headers: Headers) {
  const timing = headers.get('Server-Timing') ?? '';
  const numberOf = (name: string) => Number(new RegExp(`${name};desc="(\\d+)"`).exec(timing)?.[1]);
  return {
    trips: numberOf('trips'),
    read: numberOf('rows_read'),
    written: numberOf('rows_written'),
  };
}

/** A running experiment with two equal groups. */
async function running(given: Record<string, unknown> = {}) {
  const { id } = await makeExperiment(given);
  const { groups, startTime } = await ok('PUT', `experiments/${id}/start`);
  return { id, groups, startTime };
}

/** A rate limiter that allows each key a number of calls. */
function limitOf(most: number) {
  const calls: string[] = [];
  const limit = async ({ key }: { key: string }) => {
    calls.push(key);
    return { success: calls.filter((one) => one === key).length <= most };
  };
  return { calls, limit };
}

beforeEach(emptyDatabase);
afterEach(() => {
  vi.useRealTimers();
});

describe('an event with a time', () => {
  test('is stored once, regardless of how often and in which order it is delivered', async () => {
    await log([]);
    const first = await log(ofUsers(1000));
    const cost = costOf(first.headers);
    expect(cost.written).toBeLessThanOrEqual(5010);
    expect(cost.read).toBeLessThanOrEqual(8100);
    expect(cost.trips).toBe(2);
    for (const events of [ofUsers(1000), ofUsers(1000).reverse()]) {
      const again = await log(events, { statsigMetadata: { flushType: 'retry' } });
      expect([again.status, costOf(again.headers).written]).toEqual([202, 0]);
    }
    expect((await ok('GET', 'events?limit=1'))[0].name).toBe('purchase');
    expect(await rows('events')).toHaveLength(1000);
    expect(await rows('event_units')).toHaveLength(1000);
  });

  test('is stored once if its batch is resent as part of a newer one', async () => {
    const [old, fresh] = [ofUsers(3), ofUsers(5).slice(3)];
    await log(old, { statsigMetadata: { flushType: 'scheduled' } });
    await log([...fresh, ...old], { statsigMetadata: { flushType: 'scheduled_full' } });
    const stored = await rows('event_units');
    expect(stored.map(({ unitID }) => unitID)).toEqual(['u-0', 'u-1', 'u-2', 'u-3', 'u-4']);
    expect(stored.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    const { count } = (await rows('totals')).find(({ kind }) => kind === 'events') ?? {};
    expect(count).toBe(5);
  });

  test('is another event if its name, time, unit, value or metadata differs', async () => {
    const event = { eventName: 'a', time: past, user, value: 1, metadata: { x: 1, y: 2 } };
    await log([
      event,
      { ...event, eventName: 'b' },
      { ...event, time: past + 1 },
      { ...event, user: { userID: 'u-2' } },
      { ...event, value: 2 },
      { ...event, metadata: { x: 1 } },
      { ...event, metadata: { y: 2, x: 1 } }, // an equal event
      event,
    ]);
    expect(await rows('events')).toHaveLength(6);
  });

  test('is stored once without a unit, too', async () => {
    const events = [{ eventName: 'job', time: past }];
    await log(events);
    await log([...events, { eventName: 'job', time: past, value: 1 }]);
    expect(await rows('events')).toHaveLength(2);
    expect(await rows('event_units')).toEqual([]);
  });

  test('is stored once by concurrent deliveries', async () => {
    await log([]);
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => (await log(ofUsers(20 + index))).status),
    );
    expect(statuses).toEqual(Array(8).fill(202));
    expect(await rows('events')).toHaveLength(27);
    expect(await rows('event_units')).toHaveLength(27);
  });
});

describe('an event at a point where 20,000 events share unit, name and time', () => {
  const crowd = { eventName: 'crowd', user: { userID: 'pivot' }, time: past };

  beforeEach(async () => {
    const numbers =
      'with recursive n (i) as (select 1 union all select i + 1 from n where i < 20000)';
    await env.DB.batch([
      env.DB.prepare(`${numbers} insert into events (timestamp, name, source, value, userID, metadata)
        select ${past}, 'crowd', '', i, 'pivot', '{}' from n`),
      env.DB.prepare(`${numbers} insert into event_units (unitType, unitID, name, timestamp, seq)
        select 'userid', 'pivot', 'crowd', ${past}, i from n`),
    ]);
    await log([]);
  });

  test('costs what it costs elsewhere, alone and with 999 others', async () => {
    await log([{ ...crowd, value: 'a', time: past + 1 }]);
    const elsewhere = costOf((await log([{ ...crowd, value: 'a', time: past + 2 }])).headers);
    const one = costOf((await log([{ ...crowd, value: 'a' }])).headers);
    expect(one).toEqual(elsewhere);
    expect(one.read).toBeLessThanOrEqual(20);
    const many = Array.from({ length: 1000 }, (_, value) => ({ ...crowd, value: `v${value}` }));
    const cost = costOf((await log(many)).headers);
    expect(cost.read).toBeLessThanOrEqual(8100);
    expect(cost.written).toBeLessThanOrEqual(5010);
    expect(costOf((await log(many)).headers).written).toBe(0);
    expect(await rows('event_units')).toHaveLength(21_003);
  });
});

describe('an event that carries an ID', () => {
  const event = { eventName: 'a', eventID: 'order-7', user, time: past };

  test('is known by the ID alone, with or without a time', async () => {
    await log([event, { ...event, value: 2 }, { ...event, eventID: 'order-8' }]);
    await log([
      { eventName: 'b', eventID: 'order-7' },
      { eventName: 'b', eventID: 'order-9' },
    ]);
    expect((await rows('events')).map(({ name, eventID }) => [name, eventID])).toEqual([
      ['a', 'order-7'],
      ['a', 'order-8'],
      ['b', 'order-9'],
    ]);
  });

  test('does not take the place of an event of another kind of sender', async () => {
    const key = await keyOf('CLIENT');
    await log([event], {}, { key });
    await log([event], {}, { key: await keyOf('SERVER') });
    await ok('POST', 'events', { events: [{ name: 'a', eventID: 'order-7' }] });
    await log([event], {}, { key });
    const stored = (await rows('events')).map(({ sender }) => sender);
    expect(stored.sort()).toEqual(['client', 'management', 'server']);
  });

  test.each([['x'.repeat(129)], [7], [''], [{}]])(
    'is known by what it says if the ID is %j, which is counted',
    async (eventID) => {
      const { body } = await log([{ ...event, eventID }]);
      expect(body.leftOut).toEqual({ eventIDs: { unreadable: 1 } });
      await log([{ ...event, eventID }]);
      expect(await rows('events')).toMatchObject([{ eventID: null }]);
    },
  );
});

describe('a delivery that is repeated byte for byte', () => {
  test.each([
    ['a retry', 40_000],
    ['an outage', 4 * 3_600_000],
  ])('counts once after %s, and its time stays', async (_, delay) => {
    vi.useFakeTimers({ toFake: ['Date'], now: past });
    const headers = { 'STATSIG-CLIENT-TIME': String(past) };
    const events = [{ eventName: 'retry', user, time: past, value: 5 }];
    await log(events, {}, { headers });
    vi.setSystemTime(past + delay);
    const again = await log(events, {}, { headers });
    expect([again.status, costOf(again.headers).written]).toEqual([202, 0]);
    expect(await rows('events')).toMatchObject([{ timestamp: past }]);
  });

  test('counts once if its IDs were not known the first time, or are too long to be stored', async () => {
    const ids = { companyID: 'c-1', deviceID: 'x'.repeat(300) };
    const events = ['x'.repeat(300), 'y'.repeat(300)].map((userID) => ({
      ...{ eventName: 'a', time: past, user: { userID, customIDs: ids } },
    }));
    await log(events);
    await ok('POST', 'unit_id_types', { name: 'companyID', description: '' });
    await log(events);
    expect(await rows('events')).toHaveLength(2);
  });

  test('counts once if its metadata was cut', async () => {
    const metadata = { a: 'x'.repeat(8000), b: 'x'.repeat(8000) };
    const events = [metadata, { ...metadata, b: 'y' }].map((each) => ({
      ...{ eventName: 'a', time: past, metadata: each },
    }));
    for (let count = 0; count < 2; count++) await log(events);
    expect(await rows('events')).toHaveLength(2);
  });
});

describe('an event of a clock that is a few seconds ahead', () => {
  test('is stored once when it is sent again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const event = { eventName: 'ahead', user, time: Date.now() + 20_000 };
    const headers = { 'STATSIG-CLIENT-TIME': String(Date.now() + 20_000) };
    await log([event], {}, { headers });
    vi.setSystemTime(Date.now() + 1000);
    await log([event], {}, { headers });
    expect(await rows('events')).toHaveLength(1);
  });
});

describe('a delivery larger than one batch of the database', () => {
  test('is stored in parts, with its exposures', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { id, startTime, groups } = await running();
    vi.setSystemTime(startTime + 60_000);
    const metadata = { page: 'p'.repeat(3600) };
    const events = Array.from({ length: 999 }, (_, index) => ({
      eventName: 'large',
      user: { userID: `u-${index}` },
      time: past + index,
      metadata,
    }));
    const exposure = {
      eventName: 'statsig::config_exposure',
      user,
      time: startTime,
      metadata: { config: id, ruleID: groups[0].id, rulePassed: 'true' },
    };
    const body = { events: [...events, exposure] };
    expect((await logZipped(body)).status).toBe(202);
    expect((await logZipped(body)).status).toBe(202);
    expect(await rows('events')).toHaveLength(999);
    expect(await rows('exposures')).toHaveLength(1);
  });
});

describe('an event without a time', () => {
  test('is always new', async () => {
    const event = { eventName: 'click', user };
    await log([event, event]);
    const last = await log([event]);
    expect(costOf(last.headers).trips).toBe(1);
    expect(await rows('events')).toHaveLength(3);
  });

  test.each([['odd text'], [-1], [null], [{}], [1e300], ['2026-13-01']])(
    'is an event with the time %j, and is stored with its time of arrival',
    async (time) => {
      vi.useFakeTimers({ toFake: ['Date'], now: past });
      await log([{ eventName: 'click', user, time }]);
      expect(await rows('events')).toMatchObject([{ timestamp: past }]);
    },
  );
});

describe('the time of an event', () => {
  test.each([
    [past],
    [past / 1000],
    [String(past)],
    [String(past / 1000)],
    ['2026-01-01'],
    ['2026-01-01T00:00:00Z'],
    ['2026-01-01T02:00:00+02:00'],
  ])('may be %j', async (time) => {
    await log([{ eventName: 'click', user, time }]);
    expect(await rows('events')).toMatchObject([{ timestamp: past }]);
  });

  const hour = 3_600_000;
  test.each([
    [
      'a header',
      'ahead',
      (sent: number) => [{ headers: { 'STATSIG-CLIENT-TIME': String(sent) } }],
      5 * hour,
    ],
    [
      'a header',
      'behind',
      (sent: number) => [{ headers: { 'STATSIG-CLIENT-TIME': String(sent) } }],
      -5 * hour,
    ],
    ['the query', 'behind', (sent: number) => [{}, `?t=${sent}`], -400 * 24 * hour],
    ['the body', 'behind', (sent: number) => [{}, '', { clientTime: String(sent) }], -5 * hour],
  ] as const)(
    'is corrected by %s if the clock of its sender is %s',
    async (_1, _2, more, wrong) => {
      vi.useFakeTimers({ toFake: ['Date'], now: past });
      const { id, groups } = await running();
      vi.setSystemTime(past + hour);
      const time = past + hour + wrong - 10_000; // 10 s before it is sent
      const metadata = { config: id, ruleID: groups[0].id };
      const events = [
        { eventName: 'click', user, time },
        { eventName: 'statsig::config_exposure', user, time, metadata },
      ];
      // One second in the network, and another one when it is resent.
      for (const delay of [1000, 3000]) {
        const [options, query = '', body = {}] = more(past + hour + wrong - delay);
        await callApp(`/v1/log_event${query}`, { body: { events, ...body }, ...options });
      }
      expect(await rows('events')).toMatchObject([{ timestamp: past + hour - 10_000 }]);
      expect(await rows('exposures')).toMatchObject([{ firstTime: past + hour - 10_000 }]);
    },
  );
});

describe('a delivery', () => {
  test('stores 1,000 events of a client; the rest is left out and counted', async () => {
    const options = { key: await keyOf('CLIENT'), bindings: { ROWS: undefined } };
    const { status, body } = await log(ofUsers(1203), {}, options);
    expect([status, body]).toEqual([
      202,
      { success: true, leftOut: { events: { too_many: 203 } } },
    ]);
    expect(await rows('events')).toHaveLength(1000);
  });

  test('stores 5,000 events of a server, whose SDKs send 2,000 at once', async () => {
    const { status, body } = await log(ofUsers(2001), {}, { key: await keyOf('SERVER') });
    expect([status, body]).toEqual([202, { success: true }]);
    expect(await rows('events')).toHaveLength(2001);
  });

  test('stores 20 IDs of a user, each of at most 256 characters', async () => {
    const types = Array.from({ length: 25 }, (_, index) => `type${index}`);
    for (const name of types) await ok('POST', 'unit_id_types', { name, description: '' });
    const customIDs = Object.fromEntries(types.map((type) => [type, 'x']));
    const ids = { ...customIDs, type1: 'x'.repeat(257), type2: '🗻'.repeat(256) };
    const { body } = await log([
      { eventName: 'a', user: { userID: 'x'.repeat(257), customIDs: ids }, time: past },
    ]);
    expect(body.leftOut).toEqual({ ids: { too_many: 4, too_long: 2 } });
    const units = await rows('event_units');
    expect(units).toHaveLength(20);
    expect(units.map(({ unitType }) => unitType)).not.toContain('userID');
  });

  test('stores 100 properties and 8 kB of metadata per event, and 32 kB per event', async () => {
    const many = Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`k${index}`, 1]));
    const { body } = await log([
      { eventName: 'many', metadata: many },
      { eventName: 'long', metadata: { a: 'x'.repeat(8000), b: 'x'.repeat(8000), c: 1 } },
      { eventName: 'huge', value: 'x'.repeat(33_000) },
      { eventName: 'large', value: 'x'.repeat(30_000) },
    ]);
    expect(body.leftOut).toEqual({
      metadata: { too_many: 30, too_large: 1 },
      events: { too_large: 1 },
    });
    const stored = await rows('events');
    expect(stored.map(({ name }) => name)).toEqual(['many', 'long', 'large']);
    expect(Object.keys(JSON.parse(String(stored[0]?.metadata)))).toHaveLength(100);
    expect(Object.keys(JSON.parse(String(stored[1]?.metadata)))).toEqual(['a', 'c']);
  });

  test('stores 100 secondary exposures per event, and 1,000 names of checks', async () => {
    const [gate, config] = [await makeGate(), await makeDynamicConfig()];
    const holdout = await makeHoldout();
    const held = { gate: holdout.id, gateValue: 'true', ruleID: 'holdout' };
    const none = { gate: 'none', gateValue: 'true', ruleID: 'holdout' };
    const metadata = { gate: gate.id, gateValue: 'true', ruleID: 'r' };
    const names = Object.fromEntries(Array.from({ length: 999 }, (_, index) => [`n${index}`, 1]));
    const { body } = await log([
      {
        ...{ eventName: 'statsig::gate_exposure', user, metadata },
        secondaryExposures: [...Array(100).fill(none), held],
      },
      {
        eventName: 'statsig::non_exposed_checks',
        metadata: { checks: { ...names, [gate.id]: 3, [config.id]: 1 } },
      },
      { eventName: 'statsig::non_exposed_checks', metadata: { checks: { [gate.id]: 3 } } },
    ]);
    expect(body.leftOut).toEqual({
      secondaryExposures: { too_many: 1 },
      checks: { too_many: 2, unknown: 999 },
    });
    expect(await rows('exposures')).toEqual([]);
    expect(await rows('checks')).toMatchObject([{ id: gate.id, count: 4 }]);
  });

  test('writes 8,000 rows; later events are not parsed', async () => {
    const types = Array.from({ length: 18 }, (_, index) => `type${index}`);
    for (const name of types) await ok('POST', 'unit_id_types', { name, description: '' });
    const customIDs = Object.fromEntries(types.map((type) => [type, 'x']));
    const events = ofUsers(1000).map((event, index) => ({
      ...{ ...event, eventName: `e${index}` },
      user: { userID: `u-${index}`, customIDs },
    }));
    const { body, headers } = await log(events);
    expect(costOf(headers).written).toBeLessThanOrEqual(8000);
    const stored = (await rows('events')).length;
    expect(body.leftOut).toEqual({ events: { too_many_rows: 1000 - stored } });
    expect(costOf(headers).written).toBeGreaterThan(7900);
  });

  test('does little work for an ID of a million characters, regardless of the number of exposures', async () => {
    const rules = [{ ...everyone, passPercentage: 50 }];
    const gate = await makeGate({ rules, measureMetricLifts: true });
    const holdout = await makeHoldout();
    const held = { gate: holdout.id, gateValue: 'true', ruleID: 'holdout' };
    const metadata = { gate: gate.id, gateValue: 'true', ruleID: gate.rules[0].id };
    const secondaryExposures = Array(150).fill(held);
    const event = { eventName: 'statsig::gate_exposure', metadata, secondaryExposures };
    const long = { userID: 'x'.repeat(1_000_000) };
    const { body } = await logZipped({ events: [{ ...event, user: long }] });
    expect(body.leftOut).toEqual({ secondaryExposures: { too_many: 50 }, ids: { too_long: 1 } });
    expect(await rows('exposures')).toEqual([]);
  });

  test('stores only ID types of the project, in lower case', async () => {
    await ok('POST', 'unit_id_types', { name: 'companyID', description: '' });
    await makeGate({ idType: 'deviceID' });
    const customIDs = { CompanyId: 'c-1', deviceID: 'd-1', sessionID: 's-1', USERID: 'other' };
    await log([{ eventName: 'a', user: { ...user, customIDs }, time: past }]);
    const units = (await rows('event_units')).map(({ unitType, unitID }) => [unitType, unitID]);
    expect(units).toEqual([
      ['companyid', 'c-1'],
      ['deviceid', 'd-1'],
      ['userid', 'u-1'],
    ]);
  });
});

describe('what a delivery leaves out', () => {
  const event = { eventName: 'a', user };
  const long = 'x'.repeat(200);
  const gate = (metadata: object) => ({ eventName: 'statsig::gate_exposure', user, metadata });
  const checks = (metadata: object) => ({ eventName: 'statsig::non_exposed_checks', metadata });

  test.each<[object, unknown]>([
    [{ events: { unreadable: 4 } }, [7, null, {}, { eventName: '' }]],
    [{ events: { unreadable: 1 } }, 'none'],
    [{ events: { unusable_name: 2 } }, [{ eventName: `${long}y` }, { eventName: '..' }]],
    [{ times: { unreadable: 1 } }, [{ ...event, time: 'today' }]],
    [{ times: { out_of_range: 1 } }, [{ ...event, time: 9e12 }]],
    [{ values: { unreadable: 1 } }, [{ ...event, value: { sum: 1 } }]],
    [{ metadata: { unreadable: 1 } }, [{ ...event, metadata: 'x' }]],
    [{ users: { unreadable: 1 } }, [{ ...event, user: 'u-1' }]],
    [{ sources: { too_long: 1 } }, [{ ...event, statsigMetadata: { sdkType: `${long}y` } }]],
    [{ ids: { unreadable: 2 } }, [{ eventName: 'a', user: { userID: {}, customIDs: { x: [] } } }]],
    [{ ids: { unknown_type: 1 } }, [{ eventName: 'a', user: { customIDs: { x: 'y' } } }]],
    [{ ids: { second_of_type: 1 } }, [{ eventName: 'a', user: { customIDs: { userid: 'y' } } }]],
    [{ exposures: { unreadable: 1 } }, [gate({})]],
    [{ exposures: { unknown: 1 } }, [gate({ gate: 'none', gateValue: 'true' })]],
    [
      { exposures: { unknown: 1 }, secondaryExposures: { unreadable: 2 } },
      [{ ...gate({ gate: 'none' }), secondaryExposures: [7, {}] }],
    ],
    [{ checks: { unreadable: 1 } }, [checks({ checks: 'none' })]],
    [{ checks: { unreadable: 1, unknown: 1 } }, [checks({ checks: { a: 0, b: 1 } })]],
  ])('is counted with its reason: %j', async (leftOut, events) => {
    expect((await log(events)).body).toEqual({ success: true, leftOut });
  });

  test('is nothing of an event that has less than it may, or is of the SDK itself', async () => {
    const missing = { user: null, value: null, metadata: null, time: null };
    const events = [
      { eventName: 'a', ...missing, secondaryExposures: null, statsigMetadata: null },
      { eventName: 'statsig::diagnostics', metadata: {}, value: { steps: [] } },
      { eventName: long, user: { userID: '', customIDs: { x: null } } },
    ];
    expect((await log(events, { user: null })).body).toEqual({ success: true });
  });
});

describe('a key whose reports are switched off', () => {
  test('stores no events, which are counted, and keeps the checks', async () => {
    const key = await keyOf('CLIENT', { reports: { events: false } });
    const { id, groups, startTime } = await running();
    vi.useFakeTimers({ toFake: ['Date'], now: startTime + 60_000 });
    const exposed = {
      eventName: 'statsig::config_exposure',
      metadata: { config: id, ruleID: groups[0].id },
    };
    const users = Array.from({ length: 20 }, (_, index) => ({ userID: `u-${index}` }));
    const events = [{ eventName: 'a', user }, ...users.map((each) => ({ ...exposed, user: each }))];
    const { status, body } = await log(events, {}, { key });
    expect([status, body.leftOut.events]).toEqual([202, { switched_off: 1 }]);
    expect(await rows('events')).toEqual([]);
    expect((await rows('exposures')).length).toBeGreaterThan(0);
  });

  test('records no exposures, which are counted, and keeps events and checks', async () => {
    const { id, groups, startTime } = await running();
    vi.useFakeTimers({ toFake: ['Date'], now: startTime + 60_000 });
    const key = await keyOf('SERVER', { reports: { exposures: false } });
    const metadata = { config: id, ruleID: groups[0].id };
    const exposed = { eventName: 'statsig::config_exposure', user, metadata };
    const { body } = await log([{ eventName: 'a', user }, exposed], {}, { key });
    expect(body.leftOut).toEqual({ exposures: { switched_off: 1 } });
    expect(await rows('exposures')).toEqual([]);
    expect(await rows('exposure_counts')).toEqual([]);
    expect(await rows('events')).toHaveLength(1);
    expect(await rows('checks')).toMatchObject([{ id, count: 1 }]);
  });
});

describe('the rows that a client key writes', () => {
  let addresses = 0;
  const newAddress = () => ({ 'CF-Connecting-IP': `203.0.113.${++addresses}` });

  test('are counted for its address, with one call for each 100 rows', async () => {
    const key = await keyOf('CLIENT');
    const ROWS = limitOf(60);
    const options = { key, bindings: { ROWS }, headers: newAddress() };
    expect((await log(ofUsers(1000), {}, options)).status).toBe(202); // 5,003 rows
    expect(ROWS.calls).toHaveLength(50);
    const more = ofUsers(1000).map((event) => ({ ...event, time: event.time + 5000 }));
    const refused = await log(more, {}, options);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '60']);
    expect(await rows('events')).toHaveLength(1000);
    expect((await log([{ eventName: 'a' }], {}, options)).status, 'a small one asks as well').toBe(
      503,
    );
    const other = { ...options, headers: newAddress() };
    expect((await log([{ eventName: 'a' }], {}, other)).status).toBe(202);
  });

  test('are added up over small deliveries', async () => {
    const key = await keyOf('CLIENT');
    const ROWS = limitOf(2);
    const statuses: number[] = [];
    const options = { key, bindings: { ROWS }, headers: newAddress() };
    for (let count = 0; count < 90; count++) {
      statuses.push((await log([{ eventName: 'a', user }], {}, options)).status);
    }
    // Seven rows each: the 43rd delivery is the first with 300 rows.
    expect(statuses.indexOf(503)).toBe(42);
    expect(statuses.slice(42)).toEqual(Array(48).fill(503));
  });

  test('are not limited for a server', async () => {
    const ROWS = limitOf(0);
    const options = { key: await keyOf('SERVER'), bindings: { ROWS }, headers: newAddress() };
    expect((await log(ofUsers(200), {}, options)).status).toBe(202);
    expect(ROWS.calls).toEqual([]);
  });

  test('are limited by the binding in wrangler.toml', () => {
    expect(env).toHaveProperty('ROWS');
  });
});

describe('a request with events', () => {
  test('is accepted at the paths that pages use when they close', async () => {
    const key = await keyOf('CLIENT');
    for (const path of ['rgstr_b', 'log_event_beacon', 'rgstr']) {
      const raw = JSON.stringify({ events: [{ eventName: path, user }] });
      const headers = { 'Content-Type': 'text/plain;charset=UTF-8' };
      const { status } = await callApp(`/v1/${path}?k=${key}`, { key: null, raw, headers });
      expect(status).toBe(202);
    }
    expect((await rows('events')).map(({ name }) => name)).toEqual([
      'rgstr_b',
      'log_event_beacon',
      'rgstr',
    ]);
  });

  test('has a default user for events without one', async () => {
    const events = [
      { eventName: 'a' },
      { eventName: 'b', user: null },
      { eventName: 'c', user: {} },
    ];
    await log([...events, { eventName: 'd', user: { userID: 'u-2' } }], { user });
    const stored = (await rows('events')).map(({ name, userID }) => [name, userID]);
    expect(stored).toEqual([
      ['a', 'u-1'],
      ['b', 'u-1'],
      ['c', ''],
      ['d', 'u-2'],
    ]);
  });

  test('is stored without halves of characters', async () => {
    const { id, groups } = await running({ preComputedUserDimensions: [{ name: 'plan' }] });
    const half = '\ud800';
    const events = [
      {
        eventName: `a${half}`,
        user: { userID: `u${half}` },
        value: half,
        metadata: { [half]: [`${half}x`, '😀', '\\ud800'] },
        time: past,
      },
      {
        eventName: 'statsig::config_exposure',
        user: { userID: `u${half}`, custom: { plan: half } },
        metadata: { config: id, ruleID: groups[0].id },
      },
    ];
    for (let count = 0; count < 2; count++) await log(events);
    expect(await rows('events')).toMatchObject([
      {
        name: 'a\ufffd',
        userID: 'u\ufffd',
        value: '\ufffd',
        metadata: JSON.stringify({ '\ufffd': ['\ufffdx', '😀', '\\ud800'] }),
      },
    ]);
    expect(await rows('exposures')).toMatchObject([
      { unit: 'u\ufffd', attributes: '{"plan":"\ufffd"}' },
    ]);
  });
});

describe('exposures that an application reports itself', () => {
  const expose = (body: object, options: object = {}) =>
    callApp('/v1/log_custom_exposure', { body, ...options });

  test('are of an experiment by the name or ID of its group', async () => {
    const { id, groups } = await running();
    const [first, second] = groups;
    const { status, body } = await expose({
      user,
      exposures: [
        { experimentName: id, group: first.name },
        { experimentName: id, ruleID: second.id, user: { userID: 'u-2' } },
        { experimentName: 'none', group: 'any' },
      ],
    });
    const leftOut = { exposures: { unknown: 1 } };
    expect([status, body]).toEqual([202, { success: true, leftOut }]);
    const stored = (await rows('exposures')).map(({ unit, group }) => [unit, group]);
    expect(stored.sort()).toEqual([
      ['u-1', first.id],
      ['u-2', second.id],
    ]);
  });

  test('are of a gate by the name or ID of its rule, and of the evaluated holdouts', async () => {
    const rules = [{ ...everyone, name: 'Half', passPercentage: 50 }];
    const gate = await makeGate({ rules, measureMetricLifts: true });
    const holdout = await makeHoldout();
    const secondaryExposures = [{ gate: holdout.id, gateValue: 'true', ruleID: 'holdout' }];
    const [{ id: ruleID }] = gate.rules;
    await expose({
      exposures: [
        { gateName: gate.id, passes: true, group: 'Half', user, secondaryExposures },
        {
          gateName: gate.id,
          passes: false,
          ruleID,
          user: { userID: 'u-2' },
          time: new Date().toISOString(),
        },
      ],
    });
    const stored = (await rows('exposures')).map(({ kind, unit, group }) => [kind, unit, group]);
    expect(stored.sort()).toEqual([
      ['gate', 'u-1', `${ruleID}:on`],
      ['gate', 'u-2', `${ruleID}:off`],
      ['holdout', 'u-1', 'true'],
    ]);
  });

  test.each([
    [{}, 'exposures'],
    [{ exposures: [] }, 'exposures'],
    [{ exposures: [7] }, 'exposures.0'],
    [{ exposures: [{ group: 'a' }] }, 'exposures.0.experimentName'],
    [
      { exposures: [{ experimentName: 'a', gateName: 'b', group: 'a', passes: true }] },
      'exposures.0.experimentName',
    ],
    [{ exposures: [{ experimentName: 'a' }] }, 'exposures.0.group'],
    [{ exposures: [{ gateName: 'a', group: 'a' }] }, 'exposures.0.passes'],
  ])('are rejected if they are not as documented: %j', async (body, property) => {
    const answer = await expose(body);
    expect([answer.status, answer.body.errors[0].property]).toEqual([400, property]);
  });
});
