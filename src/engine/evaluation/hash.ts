import { sha256Words } from './sha256.ts';

const hexDigits = (word: number) => (word >>> 0).toString(16).padStart(8, '0');

/** Returns the SHA-256 of a text as lower-case hexadecimal digits. */
export const hexHash = (text: string): string => Array.from(sha256Words(text), hexDigits).join('');

const charactersOf = (word: number) =>
  String.fromCharCode(word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255);

/** Returns the SHA-256 of a text in base64. */
export const base64Hash = (text: string): string =>
  btoa(Array.from(sha256Words(text), charactersOf).join(''));

/** Returns the first 64 bits of the SHA-256 modulo `count` (at most 2^20). In halves: a double holds 53 bits. */
export function bucketOf(text: string, count: number): number {
  const hash = sha256Words(text);
  const high = (((hash[0] ?? 0) >>> 0) % count) * (2 ** 32 % count);
  return (high + (((hash[1] ?? 0) >>> 0) % count)) % count;
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
