import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
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
    expect(await statuses(other, '203.0.113.1', bindings)).toEqual([200, 429, 429]);
    expect(await statuses(one, '203.0.113.2', bindings)).toEqual([200, 200, 202]);
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
    for (const path of [flags, `${flags}/any`, '/v1/initialize']) {
      const { status, headers, body } = await callApp(path, options);
      expect([status, headers.get('Retry-After')]).toEqual([429, '60']);
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
