import { env } from 'cloudflare:workers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { forgetSnapshot } from '../../src/delivery/serving/current.ts';
import { callApp, evaluateAll, keyOf } from '../support/apps.ts';
import { type Options, ok, send } from '../support/client.ts';
import { makeGate, makeKey } from '../support/factories.ts';
import { failingDatabase } from '../support/faults.ts';

/** The URL of the change stream, from a response. */
async function addressFor(key: string): Promise<string> {
  const { body } = await evaluateAll({}, { key });
  const [stream] = body.eventStreams;
  expect(stream).toMatchObject({ type: 'sse', inactivityDelaySec: 120 });
  return stream.endpoint.requestUri;
}

/** Opens a stream, and reads it until its first message. */
async function listen(address: string, headers: Record<string, string> = {}, more: Options = {}) {
  const response = await send('GET', address, { key: null, headers, ...more });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) throw new Error('a stream has a body');
  let heard = '';
  return {
    status: response.status,
    type: response.headers.get('Content-Type'),
    caching: response.headers.get('Cache-Control'),
    async until(wanted: RegExp) {
      while (!wanted.test(heard)) {
        const { value, done } = await reader.read();
        if (done) break;
        heard += value;
      }
      return heard;
    },
    leave: () => reader.cancel(),
  };
}

describe('the stream of changes', () => {
  test('sends a change, also one that happened before it was opened', async () => {
    const address = await addressFor(await keyOf('CLIENT'));
    const stream = await listen(address);
    expect([stream.status, stream.type]).toEqual([200, 'text/event-stream']);
    expect(stream.caching).toBe('private, no-store');
    expect(await stream.until(/retry/)).toMatch(/^retry: 3000\nid: \d+\n\n$/);
    await makeGate();
    const [, seq, data] = /id: (\d+)\ndata: (.*)\n\n$/.exec(await stream.until(/data/)) ?? [];
    expect(JSON.parse(data ?? '')).toEqual({
      type: 'refetchEvaluation',
      etag: seq,
      lastModified: expect.any(Number),
    });
    await stream.leave();
    const back = await listen(address, { 'Last-Event-ID': String(Number(seq) - 1) });
    expect(await back.until(/data/)).toContain(`id: ${seq}\n`);
    await back.leave();
  });

  test('starts at the fetched flags, and continues from the last event ID', async () => {
    const address = await addressFor(await keyOf('CLIENT'));
    await makeGate();
    const first = await listen(address);
    const heard = await first.until(/data/);
    const [, before = ''] = /^retry: 3000\nid: (\d+)\n\n/.exec(heard) ?? [];
    const [, seq = ''] = /id: (\d+)\ndata/.exec(heard) ?? [];
    expect(Number(seq)).toBeGreaterThan(Number(before));
    await first.leave();
    const again = await listen(address, { 'Last-Event-ID': seq });
    expect(await again.until(/retry/)).toBe(`retry: 3000\nid: ${seq}\n\n`);
    await again.leave();
  });

  test('starts at the flags without a position, and now for a position in the future', async () => {
    const address = await addressFor(await keyOf('CLIENT'));
    await makeGate();
    const misled = await listen(address, { 'Last-Event-ID': 'nonsense' });
    expect(await misled.until(/data|still here/)).toContain('refetchEvaluation');
    await misled.leave();
    const ahead = await listen(address, { 'Last-Event-ID': '999999999' }); // from before the database was restored
    expect(await ahead.until(/retry/)).not.toContain('999999999');
    await makeGate();
    expect(await ahead.until(/data|still here/)).toContain('refetchEvaluation');
    await ahead.leave();
  });

  test('sends one event when the time of a condition comes, also before it was opened', async () => {
    const soon = Date.now() + 2500;
    const conditions = [{ type: 'time', operator: 'after', targetValue: soon }];
    await makeGate({ rules: [{ name: 'Later', passPercentage: 100, conditions }] });
    forgetSnapshot();
    const address = await addressFor(await keyOf('CLIENT'));
    const stream = await listen(address);
    const heard = await stream.until(/data/);
    expect(Date.now()).toBeGreaterThanOrEqual(soon);
    expect(heard.match(/refetchEvaluation/g)).toHaveLength(1);
    await stream.leave();
    const late = await listen(address);
    expect(await late.until(/data|still here/)).toContain('refetchEvaluation');
    await late.leave();
    const fresh = await listen(await addressFor(await keyOf('CLIENT')));
    await makeGate();
    expect((await fresh.until(/data/)).match(/refetchEvaluation/g)).toHaveLength(1);
    await fresh.leave();
  });

  test('requires a token for this purpose, of a key that is still valid', async () => {
    const { key, id } = await makeKey({ type: 'CLIENT', scopes: undefined });
    const address = await addressFor(key);
    const status = async (path: string) =>
      (await callApp(path, { method: 'GET', key: null })).status;
    expect(address).not.toContain(key);
    expect(await status('/ofrep/v1/changes')).toBe(401);
    expect(await status(address.replace(/.(?=&since)/, (last) => (last === '0' ? '1' : '0')))).toBe(
      401,
    );
    expect(await status(address.replace(/\.(\d)/, (_, digit) => `.${Number(digit) + 1}`))).toBe(
      401,
    );
    await ok('PATCH', `keys/${id}/deactivate`);
    expect(await status(address)).toBe(401);
  });

  test('ends with the key, and sends no later changes', async () => {
    const { key, id } = await makeKey({ type: 'CLIENT', scopes: undefined });
    const stream = await listen(await addressFor(key));
    await stream.until(/retry/);
    await ok('PATCH', `keys/${id}/deactivate`);
    await makeGate();
    expect(await stream.until(/data|still here/)).toMatch(/^retry: 3000\nid: \d+\n\n$/);
  });

  test('accepts a token for a day, and at most one hour longer', async () => {
    const address = await addressFor(await keyOf('CLIENT'));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 60 * 60 * 1000 });
    onTestFinished(() => {
      vi.useRealTimers();
      forgetSnapshot();
    });
    expect((await callApp(address, { method: 'GET', key: null })).status).toBe(401);
  });
});

test('a stream ends after an hour', async () => {
  const stream = await listen(await addressFor(await keyOf('CLIENT')));
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * 60 * 1000 });
  onTestFinished(() => {
    vi.useRealTimers();
    forgetSnapshot();
  });
  expect(await stream.until(/still here/)).toMatch(/^retry: 3000\nid: \d+\n\n$/);
});

test('500 streams that are opened and closed leave the service unchanged', async () => {
  const address = await addressFor(await keyOf('CLIENT'));
  const streams = await Promise.all(Array.from({ length: 500 }, () => listen(address)));
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
  await Promise.all(streams.map((stream) => stream.until(/retry/)));
  await Promise.all(streams.map((stream) => stream.leave()));
  const stream = await listen(address);
  expect(await stream.until(/retry/)).toContain('retry');
  await makeGate();
  expect(await stream.until(/data/)).toContain('refetchEvaluation');
  await stream.leave();
});

test('a stream ends before the limit of round trips per request', async () => {
  const address = await addressFor(await keyOf('CLIENT'));
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.spyOn(scheduler, 'wait').mockImplementation(async (milliseconds) => {
    vi.setSystemTime(Date.now() + milliseconds / 2); // it waits twice: for the check, and until the next one
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
    forgetSnapshot();
  });
  let looks = 0;
  const DB = failingDatabase(env.DB, () => {
    looks++;
    return undefined;
  });
  const stream = await listen(address, {}, { bindings: { DB } });
  const heard = await stream.until(/data/);
  expect(heard.split('still here').length, 'once in 26 seconds').toBe(Math.ceil(looks / 13));
  expect(looks).toBeGreaterThan(800);
  expect(looks).toBeLessThan(1000);
});
