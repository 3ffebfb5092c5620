import { createHash } from 'node:crypto';

/** SHA-256 of a text in hexadecimal, by the runtime's own code; `evaluation/hash.ts` has it for the page too. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
