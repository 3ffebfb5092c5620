import { fixedMethods } from './fixed.ts';
import { halves, unitsOf } from './halves.ts';
import type { Outcome } from './method.ts';
import { randomOf } from './random.ts';
import { sequentialMethods } from './sequential.ts';
import { severalMethods } from './several.ts';

/** A row of the table of error rates. */
export interface Row extends Outcome {
  runs: number;
  isAccepted: boolean;
}

export interface Options {
  seed: number;
  /** The share of the full number of runs. */
  share: number;
  /** The experiment whose units are halved, as CSV files. */
  exposures: string;
  events: string;
}

/** How much wider the accepted bounds are with fewer runs: 3.3 standard errors of the percentage. */
function slack({ accept: [low, high] }: Outcome, runs: number, share: number): number {
  if (share >= 1) return 0;
  const rate = Math.min(0.5, Math.max(0.001, (low > 50 ? 100 - low : high) / 100));
  return 330 * Math.sqrt((rate * (1 - rate)) / runs);
}

/** Simulates all methods, and returns their rates in percent with the bounds in which they should be. */
export function simulate({ seed, share, exposures, events }: Options): Row[] {
  const methods = [
    ...fixedMethods,
    halves(unitsOf(exposures, events)),
    ...sequentialMethods,
    ...severalMethods,
  ];
  return methods.flatMap((method, place) => {
    const runs = Math.ceil(method.runs * share);
    const outcomes = method.simulate(randomOf(seed + place), runs);
    return outcomes.map((outcome) => {
      const [low, high] = outcome.accept;
      const more = slack(outcome, runs, share);
      const isAccepted = outcome.percent >= low - more && outcome.percent <= high + more;
      return { ...outcome, runs, isAccepted };
    });
  });
}
