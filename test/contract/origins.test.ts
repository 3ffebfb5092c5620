import { describe, expect, test } from 'vitest';
import { send } from '../support/client.ts';
import { makeGate, unique } from '../support/factories.ts';

const mine = 'https://console.shop.example';
const bindings = { CONSOLE_ORIGINS: `${mine}, http://localhost:3000/` };

/** Sends the preflight request of a browser. */
const preflight = (origin: string, options: object = { bindings }) =>
  send('OPTIONS', 'gates', {
    key: null,
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'PATCH',
      'Access-Control-Request-Headers': 'service-api-key, if-match, content-type',
    },
    ...options,
  });

const allowed = ({ headers }: Response) => headers.get('Access-Control-Allow-Origin');

describe('a page of another origin', () => {
  test.each([mine, 'http://localhost:3000'])('may call the API where it is %s', async (origin) => {
    const answer = await preflight(origin);
    expect([answer.status, allowed(answer)]).toEqual([204, origin]);
    expect(answer.headers.get('Access-Control-Allow-Methods')).toContain('PATCH');
    for (const header of ['SERVICE-API-KEY', 'STATSIG-API-KEY'])
      expect(answer.headers.get('Access-Control-Allow-Headers')).toContain(header);
    expect(answer.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    expect(answer.headers.get('Vary')).toContain('Origin');
  });

  test('sees answers and errors, with their headers', async () => {
    const { id } = await makeGate();
    for (const [path, key, status] of [
      [`gates/${id}`, undefined, 200],
      ['gates/nothing', undefined, 404],
      ['gates', null, 401],
    ] as const) {
      const answer = await send('GET', path, { key, bindings, headers: { Origin: mine } });
      expect([answer.status, allowed(answer)]).toEqual([status, mine]);
      expect(answer.headers.get('Access-Control-Expose-Headers')).toContain('ETag');
      expect(answer.headers.get('Server-Timing')).toBeTruthy();
    }
  });

  test('sees the first answer to a request that it repeats', async () => {
    const headers = { Origin: mine, 'Idempotency-Key': 'from-a-page' };
    const body = { name: unique('Repeated') };
    const [first, again] = [
      await send('POST', 'gates', { bindings, headers, body }),
      await send('POST', 'gates', { bindings, headers, body }),
    ];
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect([first, again].map(allowed)).toEqual([mine, mine]);
    for (const name of ['Access-Control-Expose-Headers', 'Vary'])
      expect(again.headers.get(name)).toBe(first.headers.get(name));
  });

  test.each([
    'https://evil.example',
    'https://console.shop.example.evil.example',
    'http://console.shop.example',
    'null',
    '',
  ])('may not where it is %j', async (origin) => {
    expect(allowed(await preflight(origin))).toBeNull();
    const answer = await send('GET', 'gates', { bindings, headers: { Origin: origin } });
    expect([answer.status, allowed(answer)]).toEqual([200, null]);
  });

  test.each([undefined, '', ' , '])('may not where CONSOLE_ORIGINS is %j', async (origins) => {
    const options = { bindings: { CONSOLE_ORIGINS: origins } };
    const answer = await preflight(mine, options);
    expect([answer.status, allowed(answer)]).toEqual([401, null]);
    expect(
      allowed(await send('GET', 'gates', { ...options, headers: { Origin: mine } })),
    ).toBeNull();
  });
});
