import { Buffer } from 'node:buffer';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Context } from 'hono';
import type { Values } from '../evaluation/spec.ts';
import { isTextTooDeep } from '../http/body.ts';
import { bodyOf, textOf } from '../http/bytes.ts';
import { Problem } from '../problem.ts';
import { parsedWhole } from '../shared/json.ts';
import { isObject } from '../shared/value_types.ts';

/** Bytes of a body: as it is sent, and inflated. */
const most = { sent: 1024 * 1024, inflated: 4 * 1024 * 1024 };

const tooLarge = () => {
  const [sent, inflated] = [most.sent, most.inflated].map((bytes) => bytes / 1024 / 1024);
  return new Problem('too_large', `A body may have ${sent} MiB, and ${inflated} MiB inflated.`);
};

const malformed = (what: string) => new Problem('malformed', `The body is not valid ${what}.`);

const decompress = { gzip: gunzipSync, zstd: zstdDecompressSync };

/** Inflates no further than a body may be, so that a few bytes cannot become the whole memory. */
function inflate(encoding: keyof typeof decompress, bytes: Uint8Array): Uint8Array {
  try {
    return decompress[encoding](bytes, { maxOutputLength: most.inflated });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(); // more than may come out of it
    throw malformed(encoding);
  }
}

/** The bytes of a body without its compression, which its headers or its query name. */
function inflated(c: Context, bytes: Uint8Array): Uint8Array {
  const encoding = c.req.header('Content-Encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'zstd') return inflate('zstd', bytes);
  if (encoding === 'gzip' || c.req.query('gz') === '1') return inflate('gzip', bytes);
  if (encoding === 'identity' || encoding === '') return bytes;
  throw new Problem('media_type', 'A body may be encoded as gzip or zstd.');
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** The text of bytes that were encoded as base64: UTF-8, or else a byte a character, as browsers encode a text. */
function decoded(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

const base64 = /^[A-Za-z0-9+/\s]*={0,2}$/;

/** The text of a body; browsers may send it as base64, back to front, and say so in the query or in a header. */
function plain(c: Context, text: string): string {
  if (c.req.query('se') !== '1' && c.req.header('statsig-encoded') !== '1') return text;
  const forwards = Buffer.from(text, 'latin1').reverse().toString('latin1');
  if (!base64.test(forwards)) throw malformed('base64'); // Buffer itself passes over what is none
  return decoded(Buffer.from(forwards, 'base64'));
}

/**
 * Reads the bytes of a body as they were sent. What is made of them is many times as large: do it in one go with the
 * response, so that of all requests under way one alone has its body parsed.
 * @throws Problem 413 if they are too many
 */
export async function bytesIn(c: Context): Promise<Uint8Array> {
  const bytes = await bodyOf(c.req.raw, most.sent);
  if (!bytes) throw tooLarge();
  return bytes;
}

/**
 * The body of an SDK, of whatever content type, in one of four encodings.
 * See docs/contract/evaluation.md#74-initialize.
 * @param bytes as they were sent
 * @throws Problem 400 where it is no JSON object, 413 where it is too large
 */
export function objectOf(c: Context, bytes: Uint8Array): Values {
  const text = plain(c, textOf(inflated(c, bytes)));
  if (isTextTooDeep(text)) throw Problem.property('body', 'nests too deep');
  const body = parsedWhole(text);
  if (!isObject(body)) throw malformed('JSON of an object');
  return body;
}
