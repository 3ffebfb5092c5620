import { type Comparison, compare, compareNormal } from '../../../src/engine/statistics/compare.ts';
import { criticalValue, relativeInterval } from '../../../src/engine/statistics/intervals.ts';
import { percentileOf } from '../../../src/engine/statistics/percentile.ts';
import { sampleSize } from '../../../src/engine/statistics/power.ts';
import { type Method, shares } from './method.ts';
import type { Random } from './random.ts';
import {
  eventsOf,
  normalMoments,
  pairMoments,
  rateMoments,
  ratioMoments,
  revenueMoments,
} from './samples.ts';

const alpha = 0.05;

export const isSignificant = ({ pValue }: Comparison): boolean => pValue !== null && pValue < alpha;

/** The accepted false positives of an exact test at 5% in 10,000 runs: 3.3 standard errors. */
const exact = [4.3, 5.7] as const;

const normal = (random: Random, n: number) =>
  isSignificant(compare(normalMoments(random, n), normalMoments(random, n)));

const rates = (random: Random, n: number, rate: number) =>
  isSignificant(compare(rateMoments(random, n, rate), rateMoments(random, n, rate)));

function revenue(random: Random) {
  const { control, test } = revenueMoments(random, 1000, 1, 0.999);
  return isSignificant(compare(control, test));
}

const welch: Method = {
  runs: 10_000,
  simulate: (random, runs) =>
    shares(
      runs,
      {
        'Welch, normal 20/20': exact,
        'Welch, normal 1000/1000': exact,
        'Welch, revenue 1000/1000, winsorized at 99.9%': [3.8, 5.7],
        'Welch, conversion 5% 1000/1000': [4.2, 6],
        'Welch, conversion 50% 200/200': [4.2, 6],
        'Welch, conversion 0.2% 1000/1000': [0, 5.7],
      },
      () => ({
        'Welch, normal 20/20': normal(random, 20),
        'Welch, normal 1000/1000': normal(random, 1000),
        'Welch, revenue 1000/1000, winsorized at 99.9%': revenue(random),
        'Welch, conversion 5% 1000/1000': rates(random, 1000, 0.05),
        'Welch, conversion 50% 200/200': rates(random, 200, 0.5),
        'Welch, conversion 0.2% 1000/1000': rates(random, 1000, 0.002),
      }),
    ),
};

const ratio: Method = {
  runs: 10_000,
  simulate: (random, runs) =>
    shares(runs, { 'ratio, delta method, 500/500': exact }, () => ({
      'ratio, delta method, 500/500': isSignificant(
        compare(ratioMoments(random, 500), ratioMoments(random, 500), { isRatio: true }),
      ),
    })),
};

/** The correlation that leaves 46% of the variance. */
const correlation = Math.sqrt(0.54);

const adjusted = (random: Random, n: number) =>
  isSignificant(
    compare(pairMoments(random, n, correlation), pairMoments(random, n, correlation), {
      withCuped: true,
    }),
  );

const cuped: Method = {
  runs: 10_000,
  simulate: (random, runs) =>
    shares(runs, { 'CUPED 500/500': [4.3, 6], 'CUPED 20/20': [4.3, 6] }, () => ({
      'CUPED 500/500': adjusted(random, 500),
      'CUPED 20/20': adjusted(random, 20),
    })),
};

function percentile(control: number[][], test: number[][], p: number): boolean {
  const [a, b] = [percentileOf(control, p), percentileOf(test, p)];
  if (a.value === null || b.value === null || a.standardError === null || b.standardError === null)
    return false;
  return isSignificant(
    compareNormal(
      { value: a.value, standardError: a.standardError },
      { value: b.value, standardError: b.standardError },
    ),
  );
}

const percentiles: Method = {
  runs: 4000,
  simulate: (random, runs) =>
    shares(
      runs,
      {
        'percentile 0.5, 300 units': [3.2, 6.4],
        'percentile 0.9, 300 units': [3.2, 6.4],
        'percentile 0.99, 1000 units': [3.2, 6.4],
      },
      () => {
        const [control, test] = [eventsOf(random, 300), eventsOf(random, 300)];
        return {
          'percentile 0.5, 300 units': percentile(control, test, 0.5),
          'percentile 0.9, 300 units': percentile(control, test, 0.9),
          'percentile 0.99, 1000 units': percentile(
            eventsOf(random, 1000),
            eventsOf(random, 1000),
            0.99,
          ),
        };
      },
    ),
};

/** Returns whether Fieller's interval covers a lift, and whether it excludes 0 exactly if the test is significant. */
function fieller(random: Random, n: number, lift: number) {
  const { control, test } = revenueMoments(random, n, 1 + lift);
  const comparison = compare(control, test);
  const { interval } = relativeInterval(comparison, criticalValue(comparison, alpha));
  if (!interval) return { covers: true, agrees: true }; // unbounded
  const { lower, upper } = interval;
  const excludesZero = lower > 0 || upper < 0;
  return {
    covers: lower <= 100 * lift && upper >= 100 * lift,
    agrees: excludesZero === isSignificant(comparison),
  };
}

const relative: Method = {
  runs: 10_000,
  simulate: (random, runs) =>
    shares(
      runs,
      {
        'Fieller coverage, revenue 1000/1000, lift 5%': [94.3, 96.7],
        'Fieller coverage, revenue 200/200, lift 30%': [94.3, 96.7],
        'Fieller excludes 0 exactly if p < 5%': [100, 100],
      },
      () => {
        const [large, small] = [fieller(random, 1000, 0.05), fieller(random, 200, 0.3)];
        return {
          'Fieller coverage, revenue 1000/1000, lift 5%': large.covers,
          'Fieller coverage, revenue 200/200, lift 30%': small.covers,
          'Fieller excludes 0 exactly if p < 5%': large.agrees && small.agrees,
        };
      },
    ),
};

const power: Method = {
  runs: 10_000,
  simulate: (random, runs) => {
    const baseline = { mean: 0.1, variance: 0.09, isProportion: true };
    const size = sampleSize(baseline, 0.1, { alpha, power: 0.8 }, 1);
    const n = Math.ceil(size?.test ?? 0);
    return shares(runs, { 'power of the sample size, conversion 10% + 10%': [79, 82] }, () => ({
      'power of the sample size, conversion 10% + 10%': isSignificant(
        compare(rateMoments(random, n, 0.1), rateMoments(random, n, 0.11)),
      ),
    }));
  },
};

export const fixedMethods: Method[] = [welch, ratio, cuped, percentiles, relative, power];
