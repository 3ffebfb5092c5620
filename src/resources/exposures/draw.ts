import { createHash } from 'node:crypto';

/** In how many parts the units of an entity are drawn for its analysis. */
export const drawCount = 10_000;

/**
 * The part of a unit: by another draw than the assignment, and the same wherever the exposure was made. By the runtime's
 * own SHA-256, in a fifth of the time of one in JavaScript: a delivery may have 8,000 exposures.
 */
export const analysisDraw = (kind: string, id: string, unit: string): number => {
  const digest = createHash('sha256').update(`analysis.${kind}.${id}.${unit}`).digest();
  return Number(digest.readBigUInt64BE() % BigInt(drawCount));
};
