import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import worker from '../../src/index.ts';
import { call, type Options } from '../support/client.ts';
import { makeGate, makeKey, unique } from '../support/factories.ts';
import { withBatches } from '../support/faults.ts';

type Fetch = typeof worker.fetch;
type Request = [method: string, path: string, options?: Options];

/** The service behind a proxy that changes its responses. */
const responding = (change: (headers: Headers) => void, text = (own: string) => own) => ({
  async fetch(...[request, ...rest]: Parameters<Fetch>) {
    const response = await worker.fetch(request, ...rest);
    const headers = new Headers(response.headers);
    change(headers);
    return new Response(text(await response.text()), { status: response.status, headers });
  },
});

/** The service behind a proxy that sets headers of requests, or removes them if they are empty. */
const asking = (changed: Record<string, string>, query = '') => ({
  async fetch(...[request, ...rest]: Parameters<Fetch>) {
    const headers = new Headers(request.headers);
    for (const [name, value] of Object.entries(changed))
      if (value === '') headers.delete(name);
      else headers.set(name, value);
    const { method } = request;
    const body = method === 'GET' ? undefined : await request.text();
    const url = query === '' ? request.url : request.url.replace(/\?.*/, query);
    return worker.fetch(new Request(url, { method, headers, body: body || undefined }), ...rest);
  },
});

const setting = (name: string, value: string) => responding((headers) => headers.set(name, value));
const lacking = (name: string) => responding((headers) => headers.delete(name));

/** Replaces a figure of Server-Timing. */
const costing = (figure: string, count: number) =>
  responding((headers) => {
    const timing = headers.get('Server-Timing') ?? '';
    headers.set(
      'Server-Timing',
      timing.replace(RegExp(`${figure};desc="\\d+"`), `${figure};desc="${count}"`),
    );
  });

let [id, key] = ['', ''];
beforeAll(async () => {
  [{ id }, { key }] = [await makeGate(), await makeKey({ scopes: ['read'] })];
});

const read = (options: Options): Request => ['GET', `gates/${id}`, options];
const list = (options: Options): Request => ['GET', 'gates?limit=1', options];
const change = (options: Options): Request => [
  'PATCH',
  `gates/${id}`,
  { ...options, body: { description: unique('text') } },
];
const dryRun = (options: Options): Request => [
  'POST',
  'gates?dryRun=true',
  { ...options, body: { name: unique('Gate') } },
];
const root = { 'SERVICE-API-KEY': env.ROOT_API_KEY };
const withTag = (name: string) => ({ [name]: '"77"' });

const faults: [fault: RegExp, request: () => Request][] = [
  [/has the Server-Timing/, () => read({ worker: lacking('Server-Timing') })],
  [/lacks the API-Version/, () => read({ worker: lacking('API-Version') })],
  [/lacks an X-Request-Id/, () => read({ worker: lacking('X-Request-Id') })],
  [/may be cached/, () => read({ worker: setting('Cache-Control', 'public') })],
  [/is of the type "text\/html"/, () => read({ worker: setting('Content-Type', 'text/html') })],
  [/lacks the header ETag/, () => read({ worker: lacking('ETag') })],
  [/lacks the header D1-Bookmark/, () => read({ worker: lacking('D1-Bookmark') })],
  [/has the header Location/, () => dryRun({ worker: setting('Location', '/') })],
  [/has the header Retry-After/, () => read({ worker: setting('Retry-After', '1') })],
  [/has the ETag "9" and the version/, () => read({ worker: setting('ETag', '"9"') })],
  [/takes 2 round trips instead of 1/, () => read({ worker: costing('trips', 2) })],
  [/takes 0 round trips instead of 1/, () => read({ worker: costing('trips', 0) })],
  [/takes 3 round trips instead of 2/, () => change({ worker: costing('trips', 3) })],
  [/takes 1 round trips instead of 2/, () => change({ worker: costing('trips', 1) })],
  [/is a read and writes 1 rows/, () => read({ worker: costing('rows_written', 1) })],
  [/is a dry run and writes 1 rows/, () => dryRun({ worker: costing('rows_written', 1) })],
  [
    /says Gate created successfully/,
    () =>
      dryRun({
        worker: responding(
          () => {},
          (text) => text.replace('would be created', 'created successfully'),
        ),
      }),
  ],
  [
    /stores the version \d+ under If-Match "77"/,
    () => change({ headers: withTag('If-Match'), worker: asking({ 'If-Match': '' }) }),
  ],
  [/is 412 without If-Match/, () => change({ worker: asking(withTag('If-Match')) })],
  [/is 304 for If-None-Match undefined/, () => read({ worker: asking({ 'If-None-Match': '*' }) })],
  [
    /is 200 for its own ETag/,
    () => read({ headers: { 'If-None-Match': '*' }, worker: asking({ 'If-None-Match': '' }) }),
  ],
  [/succeeds without a key/, () => read({ key: null, worker: asking(root) })],
  [/succeeds for a key with \["read"\], not write/, () => change({ key, worker: asking(root) })],
  [/is 403 for the root key/, () => change({ worker: asking({ 'SERVICE-API-KEY': key }) })],
  [/has the pagination/, () => list({ worker: asking({}, '?limit=2') })],
];

describe('the call of tests', () => {
  test.each(faults)('fails if a response %s', async (fault, request) => {
    await expect(call(...request())).rejects.toThrow(fault);
  });

  test('fails for a 5xx that the test does not provoke', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const DB = withBatches(env.DB, async () => {
      throw new Error('D1_ERROR: broken');
    });
    await expect(call(...read({ bindings: { DB } }))).rejects.toThrow('is 500');
    expect((await call(...read({ bindings: { DB }, fails: true }))).status).toBe(500);
    log.mockRestore();
  });
});
