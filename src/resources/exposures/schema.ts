import * as z from 'zod';
import { addressableName } from '../../shared/fields.ts';
import { jsonObject } from '../../shared/json.ts';
import { isReportable, reportedTime, tooFarAhead } from '../../shared/reported_times.ts';

const example = {
  kind: 'experiment',
  id: 'checkout_button',
  group: 'Test',
  unitType: 'userID',
  unit: 'u-1',
  time: 1767225600000,
};

const exposureInput = z
  .object({
    kind: z.enum(['experiment', 'autotune', 'gate', 'holdout']),
    id: z.string(),
    group: z.string().min(1).max(256).meta({
      description:
        'For an experiment, the id or name of a group; for an autotune, the name of a variant.',
    }),
    unitType: addressableName,
    unit: z.string().min(1).max(256),
    time: reportedTime
      .refine(isReportable, tooFarAhead)
      .meta({ description: 'Epoch milliseconds, at most a day in the future.' }),
    attributes: jsonObject.optional(),
  })
  .meta({ id: 'ExposureInput', examples: [example] });

export type ExposureInput = z.infer<typeof exposureInput>;

export const exposuresImport = z
  .object({ exposures: z.array(exposureInput).min(1).max(1000) })
  .meta({ id: 'ExposuresImport', examples: [{ exposures: [example] }] });
