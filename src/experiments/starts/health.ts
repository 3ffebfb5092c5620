import * as z from 'zod';

const baseline = z.object({
  metricID: z.string(),
  mean: z.number(),
  variance: z.number(),
  isProportion: z.boolean(),
  unitsPerDay: z.number(),
});

export type LoadedBaseline = z.infer<typeof baseline>;

export const loadedCheck = z.object({
  name: z.enum(['Exposures', 'Crossover', 'Metrics', 'Pre-Experiment Bias']),
  status: z.enum(['PASSED', 'FAILED', 'WAITING', 'WARNING']),
  description: z.string(),
  baseline: baseline.optional(),
});

export type LoadedCheck = z.infer<typeof loadedCheck>;
