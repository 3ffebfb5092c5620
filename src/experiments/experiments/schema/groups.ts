import * as z from 'zod';
import { distinctNames, texts } from '../../../base/fields.ts';
import { deciderIDInput } from '../../../base/ids.ts';
import { limits } from '../../../base/limits.ts';
import { totalHundred } from '../../../engine/evaluation/shares.ts';
import { group } from '../../starts/settings_schema.ts';

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
