import type * as z from 'zod';
import type { pulse } from '../../../results/base/responses.ts';

export type { Result } from '../../../results/base/schema.ts';

export type PulseResults = z.infer<typeof pulse>;

/** A bound is null if the interval is unbounded there. */
export interface Interval {
  lower: number | null;
  upper: number | null;
}
