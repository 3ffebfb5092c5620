import type * as z from 'zod';
import { fromZod } from '../http/zod_errors.ts';
import { Problem } from '../problem.ts';
import { memberOf } from '../shared/value_types.ts';
import type { Entity } from '../store/sql/columns.ts';

/**
 * Checks a used name before its registration: entities may mention names that the schema rejects.
 * @param body the schema of the registration
 * @throws Problem 400 naming the fault
 */
export function requireRegistrable(body: z.ZodType, entity: Entity): void {
  const { error, data } = body.safeParse(entity);
  if (error) throw fromZod(error, entity, 'body');
  if (memberOf(data, 'name') !== memberOf(entity, 'name'))
    throw Problem.property('name', 'must not begin or end with blanks');
}
