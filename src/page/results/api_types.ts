import type * as z from 'zod';
import type { autotuneResults } from '../../learning/schema.ts';
import type {
  groupExposures,
  health,
  lifts,
  metricResult,
  series,
  spark,
} from '../../results/responses.ts';
import type { Result } from './types.ts';

/** The response of `health`. Shares are percentages. */
export type Health = z.infer<typeof health>;

export type HealthCheck = Health['healthChecks'][number];

/** One group of `cumulative_exposures`. */
export type GroupExposures = z.infer<typeof groupExposures>;

/** The response of `pulse_metric_result`. */
export type MetricResult = z.infer<typeof metricResult>;

/** The response of `pulse_series`. */
export type PulseSeries = Omit<z.infer<typeof series>, 'view' | 'points'> & {
  view: 'cumulative' | 'daily' | 'days_since_exposure';
  points: (Result & { day?: number })[];
};

/** One metric of `pulse_sparks`. */
export type Spark = z.infer<typeof spark>;

export type Lifts = z.infer<typeof lifts>;

/** What an autotune has learned, with the hours of one day. Probabilities are from 0 to 1, allocations percentages. */
export type Learned = z.infer<typeof autotuneResults>;
