import { balanceOf } from '../../../src/engine/statistics/balance.ts';
import { chanceToBeat, posteriorOf } from '../../../src/engine/statistics/bayesian.ts';
import { benjaminiHochberg, bonferroni } from '../../../src/engine/statistics/corrections.ts';
import { normalCdf } from '../../../src/engine/statistics/distributions.ts';
import { type Method, shares } from './method.ts';
import type { Random } from './random.ts';

const alpha = 0.05;
const rare = [0, 5.7] as const;

/** Returns the p-values of ten metrics, of which the first `real` have an effect of three standard errors. */
const pValues = (random: Random, real: number): number[] =>
  Array.from(
    { length: 10 },
    (_, metric) => 2 * normalCdf(-Math.abs(random.normal() + (metric < real ? 3 : 0))),
  );

const isAnyBelow = (values: readonly number[]): boolean => values.some((p) => p <= alpha);

const corrections: Method = {
  runs: 10_000,
  simulate: (random, runs) => {
    let falseShares = 0;
    const outcomes = shares(
      runs,
      {
        'Benjamini-Hochberg, 10 metrics, none real: any false': rare,
        'Bonferroni, 10 metrics: any false': rare,
      },
      () => {
        const adjusted = benjaminiHochberg(pValues(random, 3), alpha).adjustedPValues;
        const found = adjusted.filter((p) => p <= alpha).length;
        const isFalse = adjusted.filter((p, metric) => metric >= 3 && p <= alpha).length;
        falseShares += isFalse / Math.max(1, found);
        const none = pValues(random, 0);
        return {
          'Benjamini-Hochberg, 10 metrics, none real: any false': isAnyBelow(
            benjaminiHochberg(none, alpha).adjustedPValues,
          ),
          'Bonferroni, 10 metrics: any false': isAnyBelow(bonferroni(none)),
        };
      },
    );
    const figure = 'Benjamini-Hochberg, 3 of 10 real: false discovery rate';
    return [...outcomes, { figure, percent: (100 * falseShares) / runs, accept: rare }];
  },
};

/** Whether the sizes of two equal groups fail at p < 0.001 on any of some days, with 500 units each day. */
function isMismatch(random: Random, days: number): boolean {
  const counts: [number, number] = [0, 0];
  for (let day = 0; day < days; day++) {
    const drawn = random.binomial(500, 0.5);
    counts[0] += drawn;
    counts[1] += 500 - drawn;
    if ((balanceOf(counts, [50, 50])?.pValue ?? 1) < 0.001) return true;
  }
  return false;
}

const balance: Method = {
  runs: 10_000,
  simulate: (random, runs) =>
    shares(
      runs,
      { 'sample ratio mismatch at 0.001, once': [0, 0.2], 'daily for 30 days': [0, 1.5] },
      () => ({
        'sample ratio mismatch at 0.001, once': isMismatch(random, 1),
        'daily for 30 days': isMismatch(random, 30),
      }),
    ),
};

/** Draws relative effects from the prior, and results from the effects, and counts how often beliefs are true. */
const beliefs: Method = {
  runs: 400_000,
  simulate: (random, runs) => {
    const prior = { mean: 0, standardDeviation: 0.02 };
    const bins = [
      { figure: 'Bayesian: truly better of chances 0.90 to 0.95', low: 0.9, accept: [92, 93.2] },
      { figure: 'Bayesian: truly better of chances 0.50 to 0.55', low: 0.5, accept: [51.5, 53.3] },
    ] as const;
    const counts = bins.map(() => ({ all: 0, better: 0 }));
    for (let run = 0; run < runs; run++) {
      const effect = prior.standardDeviation * random.normal();
      const absoluteChange = effect + 0.015 * random.normal();
      const posterior = posteriorOf(
        { absoluteChange, standardError: 0.015, controlMean: 1 },
        prior,
      );
      const chance = posterior ? chanceToBeat(posterior, 'increase') : 0;
      const bin = counts[bins.findIndex(({ low }) => chance >= low && chance < low + 0.05)];
      if (!bin) continue;
      bin.all++;
      if (effect > 0) bin.better++;
    }
    return bins.map(({ figure, accept }, place) => {
      const { all, better } = counts[place] ?? { all: 0, better: 0 };
      return { figure, percent: (100 * better) / all, accept };
    });
  },
};

export const severalMethods: Method[] = [corrections, balance, beliefs];
