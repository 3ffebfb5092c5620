import type * as z from 'zod';
import { fromZod } from '../http/zod_errors.ts';
import { Problem } from '../problem.ts';
import type { Entity } from '../store/core/entity.ts';

/**
 * Checks a name that is used, before it is registered as it is: entities say what no registration takes, and an export of
 * that could not be imported.
 * @param body the schema of what registers it
 * @throws Problem 400 that names what is wrong with it
 */
export function requireRegistrable(body: z.ZodType, entity: Entity): void {
  const { error, data } = body.safeParse(entity);
  if (error) throw fromZod(error, entity, 'body');
  if (Object(data).name !== Object(entity).name)
    throw Problem.property('name', 'must not begin or end with blanks');
}
