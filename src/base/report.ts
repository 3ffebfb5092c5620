import type * as z from 'zod';

/** Adds an issue to a zod check, at a path within the value. */
export const report = (context: z.RefinementCtx, message: string, ...path: PropertyKey[]): void =>
  context.addIssue({ code: 'custom', path, message });
