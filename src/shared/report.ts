import type * as z from 'zod';

/** Reports, in a check of zod, what is wrong with a value, or with what stands at a path in it. */
export const report = (context: z.RefinementCtx, message: string, ...path: PropertyKey[]): void =>
  context.addIssue({ code: 'custom', path, message });
