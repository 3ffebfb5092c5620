import { bucketOf } from '../../evaluation/hash.ts';

/** In how many parts the units of an entity are drawn for its analysis. */
export const drawCount = 10_000;

/** The part of a unit: by another draw than the assignment, and the same wherever the exposure was made. */
export const analysisDraw = (kind: string, id: string, unit: string): number =>
  bucketOf(`analysis.${kind}.${id}.${unit}`, drawCount);
