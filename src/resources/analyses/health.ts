import * as z from 'zod';

/** A finding of the last load about an analysis. */
export const loadedCheck = z.object({
  name: z.enum(['Exposures', 'Crossover', 'Metrics', 'Pre-Experiment Bias']),
  status: z.enum(['PASSED', 'FAILED', 'WAITING', 'WARNING']),
  description: z.string(),
});

export type LoadedCheck = z.infer<typeof loadedCheck>;
