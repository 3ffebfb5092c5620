import * as z from 'zod';
import { distinctNames, singleLine, texts } from '../../base/fields.ts';
import { deciderIDInput } from '../../base/ids.ts';
import { jsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { totalHundred, withoutNoise } from '../../engine/evaluation/shares.ts';

export const group = z
  .object({
    name: singleLine,
    id: z.string(),
    size: z.number().overwrite(withoutNoise).min(0).max(100),
    parameterValues: jsonObject,
    description: z.string(),
    disabled: z.boolean(),
  })
  .meta({ id: 'Group' });

export const groupInput = group
  .partial({ parameterValues: true, description: true, disabled: true })
  .extend({ id: deciderIDInput })
  .meta({ id: 'GroupInput' });

export const groupsInput = z
  .array(groupInput)
  .min(1)
  .max(limits.groups)
  .superRefine(distinctNames('name'))
  .superRefine(distinctNames('id'))
  .refine(
    (groups) => totalHundred(groups.map(({ size }) => size)),
    'must have sizes that sum to 100',
  );

export const groupsBody = z
  .object({ groupIDs: texts.min(1) })
  .meta({ id: 'GroupIDs', examples: [{ groupIDs: ['test'] }] });
