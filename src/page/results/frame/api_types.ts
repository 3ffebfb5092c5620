import type * as z from 'zod';
import type {
  groupExposures,
  health,
  lifts,
  metricResult,
  series,
  spark,
} from '../../../results/base/responses.ts';
import type { autotuneResults } from '../../../results/learning/schema.ts';

export type Health = z.infer<typeof health>;

export type HealthCheck = Health['healthChecks'][number];

export type GroupExposures = z.infer<typeof groupExposures>;

export type MetricResult = z.infer<typeof metricResult>;

export type PulseSeries = z.infer<typeof series>;

export type Spark = z.infer<typeof spark>;

export type Lifts = z.infer<typeof lifts>;

export type Learned = z.infer<typeof autotuneResults>;
