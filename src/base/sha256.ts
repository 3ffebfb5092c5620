import { createHash } from 'node:crypto';

/** Returns SHA-256 in hexadecimal; `evaluation/hash.ts` has a version for the console. */
export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');
