import type { Learned, Lifts } from '../../src/page/results/frame/api_types.ts';
import { goodResult } from './results_fixture.ts';

const hourLength = 3_600_000;
const dayLength = 24 * hourLength;

/** Returns the UTC day some days ago, such as "2026-11-25". */
export const dayAgo = (days: number) =>
  new Date(Date.now() - days * dayLength).toISOString().slice(0, 10);

/** A response of `pulse_results` of a rule or a holdout. */
export const liftsOf = (edits: Partial<Lifts> = {}): Lifts => ({
  ds: dayAgo(1),
  startTime: Date.now() - 30 * dayLength,
  monitoringMetrics: [goodResult({ metricName: 'Revenue' })],
  ...edits,
});

/** What an autotune has learned until this hour; the first variant is the best with a probability. */
export const learnedOf = (probability: number | null, edits: Partial<Learned> = {}): Learned => {
  const time = Math.floor(Date.now() / hourLength) * hourLength;
  const variantsAt = (best: number | null) =>
    [best, best === null ? null : 1 - best].map((probabilityOfBest, place) => ({
      name: ['Sunny', 'Plain'][place] ?? '',
      units: 1000,
      successes: 60 - 10 * place,
      probabilityOfBest,
      allocation: place === 0 ? 70 : 30,
    }));
  return {
    time,
    explorationEndTime: time - dayLength,
    variants: variantsAt(probability).map((variant) => ({
      ...variant,
      rate: variant.successes / variant.units,
      mean: null,
      interval: { lower: 0.04, upper: 0.08 },
    })),
    hours: Array.from({ length: 5 }, (_, index) => ({
      time: time - (4 - index) * hourLength,
      variants: variantsAt(probability),
    })),
    warnings: [],
    ...edits,
  };
};
