import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const encoder = new TextEncoder();

/** In JavaScript, because it is synchronous, unlike `crypto.subtle`, and also runs in the console. */
const digest = (text: string): Uint8Array => sha256(encoder.encode(text));

/** Returns the SHA-256 of a text as lower-case hexadecimal digits. */
export const hexHash = (text: string): string => bytesToHex(digest(text));

/** Returns the SHA-256 of a text in base64. */
export const base64Hash = (text: string): string => btoa(String.fromCharCode(...digest(text)));

/** Returns the first 64 bits of the SHA-256 modulo `count` (at most 2^20). In halves: a double holds 53 bits. */
export function bucketOf(text: string, count: number): number {
  const bytes = digest(text);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const high = (view.getUint32(0) % count) * (2 ** 32 % count);
  return (high + (view.getUint32(4) % count)) % count;
}

/** Returns the hash of a unit ID in ID lists: the first 8 characters of its SHA-256 in base64. */
export const listedHash = (unit: string): string => base64Hash(unit).slice(0, 8);

/** Returns the hash of names for client SDKs: `hash * 31 + code unit` as an unsigned 32-bit number. */
export function djb2(text: string): string {
  let hash = 0;
  for (let index = 0; index < text.length; index++)
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  return String(hash >>> 0);
}
