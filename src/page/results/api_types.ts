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

export type Health = z.infer<typeof health>;

export type HealthCheck = Health['healthChecks'][number];

export type GroupExposures = z.infer<typeof groupExposures>;

export type MetricResult = z.infer<typeof metricResult>;

export type PulseSeries = Omit<z.infer<typeof series>, 'view' | 'points'> & {
  view: 'cumulative' | 'daily' | 'days_since_exposure';
  points: (Result & { day?: number })[];
};

export type Spark = z.infer<typeof spark>;

export type Lifts = z.infer<typeof lifts>;

export type Learned = z.infer<typeof autotuneResults>;
