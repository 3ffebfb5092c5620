import { Buffer } from 'node:buffer';
import type { MiddlewareHandler } from 'hono';
import { Problem } from '../problem.ts';
import { isRead } from './methods.ts';

/**
 * The bytes of a stream.
 * @param most how many they may be
 * @returns undefined where they are more; the rest is not read
 */
async function bytesOf(
  parts: AsyncIterable<Uint8Array>,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const part of parts) {
    size += part.byteLength;
    if (size > most) return undefined;
    read.push(part);
  }
  return Buffer.concat(read, size);
}

/** 400 for a body whose sender has left before its end: no failure of ours. */
export function cutOff(): never {
  throw new Problem('malformed', 'The body ended before it was whole.');
}

/**
 * The bytes of a body that is sent in chunks, which say no length. Of one that is too long the rest is read and let go:
 * on the connection behind it the local server of wrangler would let the next request wait for a minute.
 */
async function chunked(body: ReadableStream<Uint8Array>, most: number) {
  const bytes = await bytesOf(body.values({ preventCancel: true }), most);
  if (!bytes) await body.pipeTo(new WritableStream());
  return bytes;
}

/**
 * The bytes of a request's body; one that says its length is read in one go, as a stream costs a small request more than
 * all else.
 * @param most how many they may be
 * @returns undefined where they are more
 * @throws Problem 400 where the sender left before the end
 */
export async function bodyOf(
  request: Request,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const length = request.headers.get('Content-Length');
  if (length === null && request.body) return chunked(request.body, most).catch(cutOff);
  if (Number(length) > most) return undefined;
  const bytes = new Uint8Array(await request.arrayBuffer().catch(cutOff));
  return bytes.byteLength > most ? undefined : bytes;
}

/**
 * 413 for a body that is larger. In place of Hono's own, which leaves the rest of one in chunks unread, and takes it for a
 * failure of ours where the sender leaves.
 */
export const limitBody =
  (mebibytes: number): MiddlewareHandler =>
  async (c, next) => {
    const most = mebibytes * 1024 * 1024;
    const { headers, body } = c.req.raw;
    const length = headers.get('Content-Length');
    const bytes = length === null && body ? await chunked(body, most).catch(cutOff) : null;
    if (bytes === undefined || Number(length) > most)
      throw new Problem('too_large', `The body is larger than ${mebibytes} MiB.`);
    if (bytes && !isRead(c)) c.req.raw = new Request(c.req.raw, { body: bytes }); // reads are made with none
    return next();
  };

const decoder = new TextDecoder();

/** The text of bytes; what is no UTF-8 in them is replaced. */
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);
