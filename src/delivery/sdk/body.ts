import { Buffer } from 'node:buffer';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Context } from 'hono';
import { parseWellFormedJSON } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { Problem } from '../../base/problem.ts';
import type { ReadonlyRecord } from '../../base/value_types.ts';
import { isObject } from '../../base/value_types.ts';
import { isTextTooDeep } from '../../platform/http/body.ts';
import { decodedText, readRequestBody } from '../../platform/http/bytes.ts';

/** Bytes of a body as sent, and after decompression. */
const maxBytes = { sent: 1024 * 1024, inflated: 4 * 1024 * 1024 };

const bodyTooLarge = () => {
  const [sent, inflated] = [maxBytes.sent, maxBytes.inflated].map((bytes) => bytes / 1024 / 1024);
  return new Problem(
    'too_large',
    `The body is too large: it must have at most ${sent} MiB, and ${inflated} MiB decompressed.`,
  );
};

const malformed = (format: string) => new Problem('malformed', `The body is not valid ${format}.`);

const decompress = { gzip: gunzipSync, zstd: zstdDecompressSync };

/** Stops at the limit, so that a small body cannot fill the memory. */
function inflate(encoding: keyof typeof decompress, bytes: Uint8Array): Uint8Array {
  try {
    return decompress[encoding](bytes, { maxOutputLength: maxBytes.inflated });
  } catch (error) {
    if (error instanceof RangeError) throw bodyTooLarge(); // exceeds `maxOutputLength`
    throw malformed(encoding);
  }
}

function decompressed(c: Context, bytes: Uint8Array): Uint8Array {
  const encoding = c.req.header('Content-Encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'zstd') return inflate('zstd', bytes);
  if (encoding === 'gzip' || c.req.query('gz') === '1') return inflate('gzip', bytes);
  if (encoding === 'identity' || encoding === '') return bytes;
  throw new Problem('media_type', 'The encoding of the body is not supported: use gzip or zstd.');
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Decodes UTF-8; for other bytes one character a byte, which browsers send from `btoa`. */
function textOfBase64(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

const base64 = /^[A-Za-z0-9+/\s]*={0,2}$/;

function unescapedText(c: Context, text: string): string {
  if (c.req.query('se') !== '1' && c.req.header('statsig-encoded') !== '1') return text;
  const forwards = Buffer.from(text, 'latin1').reverse().toString('latin1');
  if (!base64.test(forwards)) throw malformed('base64'); // Buffer ignores invalid characters
  return textOfBase64(Buffer.from(forwards, 'base64'));
}

/**
 * Returns the bytes of a body. Parse them without awaiting: only one parsed body may be in memory.
 * `@throws Problem` 413 if there are too many.
 */
export async function readBodyBytes(c: Context): Promise<Uint8Array> {
  const bytes = await readRequestBody(c.req.raw, maxBytes.sent);
  if (!bytes) throw bodyTooLarge();
  return bytes;
}

/** Parses a body of any content type; see docs/contract/evaluation.md#74-initialize. `@throws Problem` 400, 413. */
export function bodyObject(c: Context, bytes: Uint8Array): ReadonlyRecord {
  const text = unescapedText(c, decodedText(decompressed(c, bytes)));
  if (isTextTooDeep(text))
    throw Problem.property('body', `must not nest deeper than ${limits.depth} levels`);
  const body = parseWellFormedJSON(text);
  if (!isObject(body)) throw malformed('JSON object');
  return body;
}
