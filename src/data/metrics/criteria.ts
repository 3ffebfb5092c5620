import * as z from 'zod';
import { jsonKey, strings } from '../../base/fields.ts';
import { limits } from '../../base/limits.ts';

export const criterionCondition = z
  .enum([
    'in',
    'not_in',
    '=',
    '>',
    '<',
    '>=',
    '<=',
    'is_null',
    'non_null',
    'contains',
    'not_contains',
    'sql_filter',
    'starts_with',
    'ends_with',
    'after_exposure',
    'before_exposure',
    'is_true',
    'is_false',
  ])
  .meta({ id: 'CriterionCondition' });

export const criterion = z
  .object({
    type: z.enum(['value', 'metadata', 'user', 'user_custom']).optional(),
    condition: criterionCondition,
    column: jsonKey.optional(),
    values: strings.max(limits.targets).optional(),
    nullVacuousOverride: z.boolean().optional(),
  })
  .meta({ id: 'Criterion' });

export const criteria = z.array(criterion).max(limits.entries);
