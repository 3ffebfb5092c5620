import * as z from 'zod';
import { jsonKey, strings } from '../../base/fields.ts';
import { limits } from '../../base/limits.ts';
import { report } from '../../base/report.ts';
import { senders } from '../exposures/senders.ts';

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

const senderNames: ReadonlySet<string> = new Set(senders);

/** Conditions on the sender of an event, which is one of few. */
const senderConditions: readonly string[] = ['in', 'not_in', '='];

export const criterion = z
  .object({
    type: z.enum(['value', 'metadata', 'user', 'user_custom', 'sender']).optional(),
    condition: criterionCondition,
    column: jsonKey.optional(),
    values: strings.max(limits.targets).optional(),
    nullVacuousOverride: z.boolean().optional(),
  })
  .superRefine(({ type, condition, values = [] }, context) => {
    if (type !== 'sender') return;
    if (!senderConditions.includes(condition))
      report(context, `must be ${senderConditions.join(', ')} for the type sender`, 'condition');
    const unknown = values.findIndex((value) => !senderNames.has(value));
    if (unknown >= 0) report(context, `must be one of ${senders.join(', ')}`, 'values', unknown);
  })
  .meta({ id: 'Criterion' });

export const criteria = z.array(criterion).max(limits.entries);
