import { Buffer } from 'node:buffer';
import type { MiddlewareHandler } from 'hono';
import { Problem } from '../../base/problem.ts';
import { isRead } from './methods.ts';

async function joinedBytes(
  parts: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const part of parts) {
    size += part.byteLength;
    if (size > maxBytes) return undefined;
    read.push(part);
  }
  return Buffer.concat(read, size);
}

/** Throws Problem 400: the sender left before the end of the body. */
export function cutOff(): never {
  throw new Problem('malformed', 'The body ended early; send it again.');
}

/** Drains a too large body: otherwise wrangler's local server delays the connection's next request by a minute. */
async function chunked(body: ReadableStream<Uint8Array>, maxBytes: number) {
  const bytes = await joinedBytes(body.values({ preventCancel: true }), maxBytes);
  if (!bytes) await body.pipeTo(new WritableStream());
  return bytes;
}

/**
 * Returns a body; undefined above `maxBytes`. A stream costs a small request more than all other work.
 * @throws Problem 400 if the sender left before the end
 */
export async function readRequestBody(
  request: Request,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const length = request.headers.get('Content-Length');
  if (length === null && request.body) return chunked(request.body, maxBytes).catch(cutOff);
  if (Number(length) > maxBytes) return undefined;
  const bytes = new Uint8Array(await request.arrayBuffer().catch(cutOff));
  return bytes.byteLength > maxBytes ? undefined : bytes;
}

/** Returns middleware that throws Problem 413 for a larger body. Hono's own leaves the rest of a body unread. */
export const limitBody =
  (mebibytes: number): MiddlewareHandler =>
  async (c, next) => {
    const maxBytes = mebibytes * 1024 * 1024;
    const { headers, body } = c.req.raw;
    const length = headers.get('Content-Length');
    const bytes = length === null && body ? await chunked(body, maxBytes).catch(cutOff) : null;
    if (bytes === undefined || Number(length) > maxBytes)
      throw new Problem('too_large', `The body is larger than ${mebibytes} MiB.`);
    if (bytes && !isRead(c)) c.req.raw = new Request(c.req.raw, { body: bytes }); // a GET request cannot have a body
    return next();
  };

const decoder = new TextDecoder();

/** Decodes UTF-8, replacing invalid bytes. */
export const decodedText = (bytes: Uint8Array): string => decoder.decode(bytes);
