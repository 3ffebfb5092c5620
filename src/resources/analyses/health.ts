import * as z from 'zod';

/** The control group of the first primary metric. */
const baseline = z.object({
  metricID: z.string(),
  mean: z.number(),
  variance: z.number(),
  isProportion: z.boolean(),
  unitsPerDay: z.number(),
});

export type LoadedBaseline = z.infer<typeof baseline>;

/** A finding of the last load about an analysis. */
export const loadedCheck = z.object({
  name: z.enum(['Exposures', 'Crossover', 'Metrics', 'Pre-Experiment Bias']),
  status: z.enum(['PASSED', 'FAILED', 'WAITING', 'WARNING']),
  description: z.string(),
  baseline: baseline.optional().meta({ description: 'Of the check `Metrics`.' }),
});

export type LoadedCheck = z.infer<typeof loadedCheck>;
