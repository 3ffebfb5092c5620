import * as z from 'zod';
import { nullableName, unitIDs, word } from '../../../base/fields.ts';
import { limits } from '../../../base/limits.ts';

const overridesExample = {
  overrides: [{ type: 'gate', id: 'employees', groupID: 'test' }],
  userIDOverrides: [{ groupID: 'control', ids: ['u-1', 'u-2'] }],
};

export const overridesResponse = z
  .object({
    overrides: z
      .array(
        z
          .object({
            type: z.enum(['gate', 'segment']),
            id: z.string().min(1),
            groupID: z.string(),
            environment: nullableName.optional(),
          })
          .meta({ id: 'ExperimentOverride' }),
      )
      .max(limits.overrides),
    userIDOverrides: z
      .array(
        z
          .object({
            groupID: z.string(),
            ids: unitIDs,
            environment: nullableName.optional(),
            unitType: word.optional(),
          })
          .meta({ id: 'UserIDOverride' }),
      )
      .max(limits.overrides),
  })
  .meta({ id: 'ExperimentOverrides', examples: [overridesExample] });

export const overridesRequest = overridesResponse
  .partial()
  .meta({ id: 'ExperimentOverridesInput', examples: [overridesExample] });

export const overridesRemoval = overridesRequest.meta({
  id: 'ExperimentOverridesRemoval',
  examples: [overridesExample],
});
