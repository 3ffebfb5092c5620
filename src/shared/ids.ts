import * as z from 'zod';
import { Problem } from '../problem.ts';
import { isOwnRuleID } from './own_rule_ids.ts';

/** Ids that are paths of their own below a resource. */
const reserved = new Set(['assignment_sources', 'values']);

/** Whether a text is `.` or `..`, which paths resolve, so that it cannot be an id in one. */
export const isStep = (text: string) => /^\.{1,2}$/.test(text);

/** The id of an entity, fixed at creation. */
export const id = z
  .string()
  .regex(/^[\w.-]{3,100}$/, 'must be 3 to 100 letters, digits, "_", "-" or "."')
  .refine((id) => !reserved.has(id), 'is a path of this API, choose another')
  .meta({ minLength: 3, maxLength: 100 });

/** The id in a path, as it comes: one that cannot exist is not found. */
export const idParam = z.object({ id: z.string().meta({ description: 'The id of the entity.' }) });

/**
 * The id of a new entity: the given one, or one made from the name (`A Gate` → `a_gate`), or a fresh one where
 * too little of the name is left.
 */
export function newID(given: string | undefined, fromName: string): string {
  if (given !== undefined) return given;
  const made = fromName
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '_')
    .slice(0, 100);
  if (reserved.has(made))
    throw Problem.property('name', `makes the id ${made}, which is a path of this API`);
  return made.replace(/[^a-z0-9]/g, '').length < 3 ? crypto.randomUUID() : made;
}

/** The id of a part of an entity, which can be a part of a path; the server gives one where it is absent, or empty. */
export const partIDInput = z
  .string()
  .refine((id) => !isStep(id), 'must be more than dots')
  .transform((id) => id || undefined)
  .optional();

/** The id of a part of an entity that decides what users get, by which answers say so. */
export const deciderIDInput = partIDInput.refine(
  (id) => id === undefined || !isOwnRuleID(id),
  'is one by which evaluation says that it decided itself, choose another',
);

/** Earlier parts of an entity by their names, but for those whose ids a body asks for: one of the same name keeps its id. */
export function freeByName<P extends { id: string; name: string }>(
  given: readonly { id?: string | undefined }[],
  earlier: readonly P[],
): Map<string, P> {
  const asked = new Set(given.map(({ id }) => id));
  return new Map(earlier.filter(({ id }) => !asked.has(id)).map((part) => [part.name, part]));
}
