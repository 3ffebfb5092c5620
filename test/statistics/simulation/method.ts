import type { Random } from './random.ts';

/** How often something happened, in percent, and within which bounds it should. */
export interface Outcome {
  figure: string;
  percent: number;
  accept: readonly [low: number, high: number];
}

/** A simulation of some methods together. */
export interface Method {
  runs: number;
  simulate: (random: Random, runs: number) => Outcome[];
}

/** Counts in how many of some runs each figure is true, and returns the percentages. */
export function shares<Name extends string>(
  runs: number,
  figures: Record<Name, readonly [low: number, high: number]>,
  once: () => Record<Name, boolean>,
): Outcome[] {
  const counts = new Map<string, number>();
  for (let run = 0; run < runs; run++)
    for (const [figure, happened] of Object.entries(once()))
      if (happened) counts.set(figure, (counts.get(figure) ?? 0) + 1);
  const bounds: [string, readonly [number, number]][] = Object.entries(figures);
  return bounds.map(([figure, accept]) => ({
    figure,
    percent: (100 * (counts.get(figure) ?? 0)) / runs,
    accept,
  }));
}
