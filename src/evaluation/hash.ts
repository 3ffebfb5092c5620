import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const encoder = new TextEncoder();

/**
 * SHA-256 of a text in UTF-8. Plain JavaScript, since it is synchronous (`crypto.subtle` costs an await each) and the
 * same code runs in the console page.
 */
const digest = (text: string): Uint8Array => sha256(encoder.encode(text));

/** SHA-256 of a text as lower-case hexadecimal digits. */
export const hexHash = (text: string): string => bytesToHex(digest(text));

/** SHA-256 of a text in base64. */
export const base64Hash = (text: string): string => btoa(String.fromCharCode(...digest(text)));

/**
 * The bucket of a text, 0 to `count` - 1: the first eight bytes of its SHA-256 as one unsigned number, modulo `count`
 * (at most 2^20). The two halves are reduced apart, as the whole is more than a double can hold.
 */
export function bucketOf(text: string, count: number): number {
  const bytes = digest(text);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const high = (view.getUint32(0) % count) * (2 ** 32 % count);
  return (high + (view.getUint32(4) % count)) % count;
}

/** The id of a unit as lists of ids hold it: the first 8 characters of its hash in base64. */
export const listedHash = (unit: string): string => base64Hash(unit).slice(0, 8);

/** The 32-bit hash by which client SDKs look up names: `hash * 31 + code unit`, unsigned, as text. */
export function djb2(text: string): string {
  let hash = 0;
  for (let index = 0; index < text.length; index++)
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  return String(hash >>> 0);
}
