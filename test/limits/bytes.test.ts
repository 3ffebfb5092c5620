import { describe, expect, test } from 'vitest';
import { readRequestBody } from '../../src/platform/http/bytes.ts';
import { call } from '../support/client.ts';

const post = (body: BodyInit | null, headers: HeadersInit = {}) =>
  new Request('http://console', { method: 'POST', headers, body });

/** Returns a body in two chunks, without a Content-Length. */
const streamed = (text: string) => {
  const parts = [text.slice(0, 1), text.slice(1)].map((part) => new Blob([part]).stream());
  const { readable, writable } = new IdentityTransformStream();
  const write = async () => {
    for (const part of parts) await part.pipeTo(writable, { preventClose: true });
    await writable.close();
  };
  write().catch(() => {}); // the reader may stop early
  return readable;
};

describe.each([
  [
    'with its Content-Length',
    (text: string) => post(text, { 'Content-Length': String(text.length) }),
  ],
  ['without a Content-Length', (text: string) => post(streamed(text))],
  ['with a wrong Content-Length', (text: string) => post(text, { 'Content-Length': '1' })],
])('a body %s', (_, requestOf) => {
  test.each([
    ['the maximum of bytes', 'abcd', 'abcd'],
    ['one byte more', 'abcde', undefined],
    ['no bytes', '', ''],
  ])('and %s is read up to the limit', async (_, text, expected) => {
    const bytes = await readRequestBody(requestOf(text), 4);
    expect(bytes && new TextDecoder().decode(bytes)).toBe(expected);
  });
});

test('a body with a Content-Length over the limit is not read', async () => {
  const request = post('ab', { 'Content-Length': '5' });
  expect(await readRequestBody(request, 4)).toBeUndefined();
  expect(request.bodyUsed).toBe(false);
});

test('a body in chunks over the limit is read to its end, so that the connection can be reused', async () => {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (to) => (sent++ < 20 ? to.enqueue(new Uint8Array(3)) : to.close()),
  });
  expect(await readRequestBody(post(body), 4)).toBeUndefined();
  expect(sent).toBe(21);
});

test('a body in chunks that is cut off is 400', async () => {
  const body = new ReadableStream<Uint8Array>({ pull: (to) => to.error(new Error('gone')) });
  const { status, body: problem } = await call('POST', 'gates', { raw: body });
  expect([status, problem.type]).toEqual([400, '/problems/malformed']);
});

test('a missing body has no bytes', async () => {
  expect(await readRequestBody(post(null), 4)).toHaveLength(0);
});
