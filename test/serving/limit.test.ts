import { env } from 'cloudflare:workers';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { StatsigClient } from '@statsig/js-client';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { callApp, keyOf } from '../support/apps.ts';
import { send } from '../support/client.ts';

/** A rate limiter that allows each key a number of calls, like the binding of the platform. */
function limitOf(most: number) {
  const left = new Map<string, number>();
  return {
    async limit({ key }: { key: string }) {
      const rest = left.get(key) ?? most;
      left.set(key, rest - 1);
      return { success: rest > 0 };
    },
  };
}

const flags = '/ofrep/v1/evaluate/flags';

/** Sends a request to each application endpoint in turn; returns the status codes. */
async function statuses(key: string, address: string, bindings: object): Promise<number[]> {
  const headers = { 'CF-Connecting-IP': address };
  const asked = [
    callApp(flags, { key, headers, bindings, body: { context: {} } }),
    callApp('/v1/initialize', { key, headers, bindings, body: { user: {} } }),
    callApp('/v1/log_event', { key, headers, bindings, body: { events: [] } }),
  ];
  return (await Promise.all(asked)).map(({ status }) => status);
}

describe('a deployment that limits evaluations', () => {
  test('limits each address with a client key, over all endpoints together', async () => {
    const bindings = { EVALUATIONS: limitOf(4) };
    const [one, other] = [await keyOf('CLIENT'), await keyOf('CLIENT')];
    expect(await statuses(one, '203.0.113.1', bindings)).toEqual([200, 200, 202]);
    expect(await statuses(other, '203.0.113.1', bindings)).toEqual([200, 429, 503]);
    expect(await statuses(one, '203.0.113.2', bindings)).toEqual([200, 200, 202]);
  });

  test('counts the /64 of an IPv6 address, which belongs to one sender', async () => {
    const [key, bindings] = [await keyOf('CLIENT'), { EVALUATIONS: limitOf(1) }];
    const statusFrom = async (address: string) => {
      const headers = { 'CF-Connecting-IP': address };
      return (await callApp(flags, { key, headers, bindings, body: { context: {} } })).status;
    };
    expect(await statusFrom('2001:db8:1:2::1')).toBe(200);
    expect(await statusFrom('2001:0DB8:0001:0002:ffff::9')).toBe(429);
    expect(await statusFrom('2001:db8:1:3::1')).toBe(200);
    expect(await statusFrom('2001:db8::1')).toBe(200);
    expect(await statusFrom('2001:db8:0:0:5::1')).toBe(429);
    expect(await statusFrom('::ffff:203.0.113.7')).toBe(200);
    expect(await statusFrom('203.0.113.7')).toBe(429);
    expect(await statusFrom('::ffff:203.0.113.8')).toBe(200);
  });

  test('asks an SDK to repeat a limited delivery, and refuses it before its body is read', async () => {
    const key = await keyOf('CLIENT');
    const headers = { 'CF-Connecting-IP': '203.0.113.77' };
    for (const path of ['log_event', 'rgstr', 'rgstr_b', 'log_event_beacon', 'log_custom_exposure'])
      expect(
        await callApp(`/v1/${path}`, {
          ...{ key, headers, body: { events: [] } },
          bindings: { EVALUATIONS: limitOf(0) },
        }),
      ).toMatchObject({ status: 503, body: { type: '/problems/events_limited' } });
    const bindings = { ROWS: limitOf(0) };
    const events = Array.from({ length: 40 }, (_, at) => ({
      ...{ eventName: 'a', user: { userID: `u${at}` }, time: Date.now() - at },
    }));
    const first = await callApp('/v1/rgstr', { key, headers, bindings, body: { events } });
    expect([first.status, first.headers.get('Retry-After')]).toEqual([503, '60']);
    const malformed = { key, headers, bindings, raw: '{"events":' };
    expect((await callApp('/v1/rgstr', malformed)).status).toBe(503);
    expect((await callApp('/v1/rgstr', { ...malformed, bindings: {} })).status).toBe(400);
  });

  test('never limits a server, and counts each key separately', async () => {
    const bindings = { EVALUATIONS: limitOf(1) };
    const server = await keyOf('SERVER');
    for (let count = 0; count < 3; count++)
      expect(await statuses(server, '203.0.113.1', bindings)).toEqual([200, 200, 202]);
    expect(await statuses('client-unknown', '203.0.113.1', bindings)).toEqual([401, 401, 401]);
    const client = await keyOf('CLIENT');
    const [first] = await statuses(client, '203.0.113.1', bindings);
    expect(first).toBe(200);
  });

  test('allows all requests if the limiter fails, and logs the failure', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => logged.mockRestore());
    const bindings = { EVALUATIONS: { limit: async () => Promise.reject(new Error('no answer')) } };
    const client = await keyOf('CLIENT');
    expect(await statuses(client, '203.0.113.3', bindings)).toEqual([200, 200, 202]);
    expect(logged).toHaveBeenCalledTimes(3);
    expect(logged).toHaveBeenCalledWith(expect.stringContaining('no answer'));
  });

  test('sends Retry-After in whole seconds, also to a page of another origin', async () => {
    const bindings = { EVALUATIONS: limitOf(0) };
    const options = { key: await keyOf('CLIENT'), bindings, body: { context: {} } };
    const waits = { [flags]: '5', [`${flags}/any`]: '60', '/v1/initialize': '60' };
    for (const [path, wait] of Object.entries(waits)) {
      const { status, headers, body } = await callApp(path, options);
      expect([status, headers.get('Retry-After'), path]).toEqual([429, wait, path]);
      expect(headers.get('Content-Type')).toBe('application/problem+json');
      expect(body).toMatchObject({ type: '/problems/rate_limited', status: 429 });
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(headers.get('Access-Control-Expose-Headers')).toContain('Retry-After');
    }
  });
});

test('the OpenFeature web provider waits as long as Retry-After requires', async () => {
  const [key, bindings] = [await keyOf('CLIENT'), { EVALUATIONS: limitOf(1) }];
  const answered: number[] = [];
  const provider = new OFREPWebProvider({
    baseUrl: 'http://console',
    changeDetection: 'none',
    cacheMode: 'disabled',
    fetchImplementation: async (given: RequestInfo, init?: RequestInit) => {
      const request = new Request(given, init);
      const headers = { 'Content-Type': 'application/json' };
      const { pathname } = new URL(request.url);
      const body = await request.text();
      const answer = await send(request.method, pathname, { key, bindings, headers, body });
      answered.push(answer.status);
      return answer;
    },
  });
  const people = ['u-1', 'u-2', 'u-3'].map((targetingKey) => ({ targetingKey }));
  await provider.initialize(people[0]);
  await provider.onContextChange({ ...people[0] }, { ...people[1] });
  expect(answered).toEqual([200, 429]);
  await provider.onContextChange({ ...people[1] }, { ...people[2] });
  expect(answered).toEqual([200, 429]);
  await provider.onClose?.();
});

test('a deployment without the binding limits no requests', async () => {
  const client = await keyOf('CLIENT');
  for (let count = 0; count < 10; count++)
    expect(await statuses(client, '203.0.113.1', {})).toEqual([200, 200, 202]);
});

test('the web SDK loses no event of a delivery that exceeded the limit', async () => {
  const key = await keyOf('CLIENT');
  const headers = { 'CF-Connecting-IP': '203.0.113.99', 'Content-Type': 'application/json' };
  const limited = { ROWS: limitOf(0) };
  const statuses: number[] = [];
  const client = new StatsigClient(
    key,
    { userID: 'u-1' },
    {
      loggingEnabled: 'always',
      networkConfig: {
        api: 'http://console/v1',
        networkOverrideFunc: async (given, args) => {
          const { pathname, search } = new URL(given);
          const isDelivery = pathname.endsWith('/rgstr');
          const bindings = isDelivery && statuses.length === 0 ? limited : {};
          const body = String(args.body);
          const response = await send('POST', `${pathname}${search}`, {
            ...{ key, bindings, headers, body },
          });
          if (isDelivery) statuses.push(response.status);
          return response;
        },
      },
    },
  );
  client.dataAdapter.setData(JSON.stringify({ has_updates: true, feature_gates: {} }));
  client.initializeSync({ disableBackgroundCacheRefresh: true });
  const names = Array.from({ length: 40 }, (_, index) => `kept_${index}`);
  for (const name of names) client.logEvent(name);
  await client.flush();
  await expect.poll(() => statuses.at(-1), { timeout: 30_000 }).toBe(202);
  expect(statuses[0]).toBe(503);
  const { results } = await env.DB.prepare(
    "select name from events where name like 'kept_%'",
  ).all();
  expect(results.map(({ name }) => name).sort()).toEqual(names.sort());
  await client.shutdown();
});
