import type * as z from 'zod';
import { Problem } from '../../base/problem.ts';
import { memberOf } from '../../base/value_types.ts';
import { fromZod } from '../http/zod_errors.ts';
import type { Entity } from '../store/core/entity.ts';

/** Throws Problem 400 for a used name that its registration's schema rejects. */
export function requireRegistrable(body: z.ZodType, entity: Entity): void {
  const { error, data } = body.safeParse(entity);
  if (error) throw fromZod(error, entity, 'body');
  if (memberOf(data, 'name') !== memberOf(entity, 'name'))
    throw Problem.property('name', 'must not begin or end with blanks');
}
