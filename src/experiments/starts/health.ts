import * as z from 'zod';

const baseline = z.object({
  metricID: z.string(),
  mean: z.number(),
  variance: z.number(),
  isProportion: z.boolean(),
  unitsPerDay: z.number(),
});

export type LoadedBaseline = z.infer<typeof baseline>;

export const healthStatus = z.enum(['PASSED', 'FAILED', 'WAITING', 'WARNING']);

export const loadedCheck = z.object({
  name: z.enum(['Exposures', 'Crossover', 'Metrics', 'Pre-Experiment Bias']),
  status: healthStatus,
  description: z.string(),
  baseline: baseline.optional(),
});

export type LoadedCheck = z.infer<typeof loadedCheck>;
