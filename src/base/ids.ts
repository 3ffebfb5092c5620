import * as z from 'zod';
import { isOwnRuleID } from './own_rule_ids.ts';
import { Problem } from './problem.ts';

const reservedIDs = new Set(['assignment_sources', 'values', 'pulse_summaries', 'unit_values']);

/** Whether a text is `.` or `..`, which paths resolve. */
export const isStep = (text: string) => /^\.{1,2}$/.test(text);

export const id = z
  .string()
  .regex(/^[\w.-]{3,100}$/, 'must be 3 to 100 letters, digits, "_", "-" or "."')
  .refine((id) => !reservedIDs.has(id), 'must not be a path of this API; choose another')
  .meta({ minLength: 3, maxLength: 100 });

/** The ID in a path, not validated: an impossible one is 404, not 400. */
export const idParam = z.object({ id: z.string() });

/** Returns the given ID, or one from the name (`A Gate` → `a_gate`) if 3 letters or digits remain, or a random one. */
export function newID(given: string | undefined, fromName: string): string {
  if (given !== undefined) return given;
  const generated = fromName
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '_')
    .slice(0, 100);
  if (reservedIDs.has(generated))
    throw Problem.property(
      'name',
      `must not generate the id ${generated}, which is a path of this API; choose another`,
    );
  return generated.replace(/[^a-z0-9]/g, '').length < 3 ? crypto.randomUUID() : generated;
}

/** The ID of a part of an entity, usable in paths; generated if missing or empty. */
export const partIDInput = z
  .string()
  .refine((id) => !isStep(id), 'must be more than dots')
  .transform((id) => id || undefined)
  .optional();

/** The ID of a rule or group, which evaluations return as the reason. */
export const deciderIDInput = partIDInput.refine(
  (id) => id === undefined || !isOwnRuleID(id),
  'must not be an id reserved for evaluation; choose another',
);

/** Returns earlier parts by name, except those whose IDs the body requests; a part keeps its ID by its name. */
export function freeByName<P extends { id: string; name: string }>(
  given: readonly { id?: string | undefined }[],
  earlier: readonly P[],
): Map<string, P> {
  const requested = new Set(given.map(({ id }) => id));
  return new Map(earlier.filter(({ id }) => !requested.has(id)).map((part) => [part.name, part]));
}
