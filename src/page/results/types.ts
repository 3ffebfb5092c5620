import type * as z from 'zod';
import type { pulse } from '../../results/responses.ts';

export type { Result } from '../../results/schema.ts';

/** The response of `pulse_results`. */
export type PulseResults = z.infer<typeof pulse>;

/** The bounds of an interval; null if it is unbounded there. */
export interface Interval {
  lower: number | null;
  upper: number | null;
}
