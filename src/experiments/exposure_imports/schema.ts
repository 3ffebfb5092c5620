import * as z from 'zod';
import { addressableName } from '../../base/fields.ts';
import { jsonObject } from '../../base/json.ts';
import { isReportable, reportedTime, tooFarAhead } from '../../base/time_fields.ts';

const example = {
  kind: 'experiment',
  id: 'checkout_button',
  group: 'Test',
  unitType: 'userID',
  unit: 'u-1',
  time: 1767225600000,
};

export const exposureInput = z
  .object({
    kind: z.enum(['experiment', 'autotune', 'gate', 'holdout']),
    id: z.string(),
    group: z.string().min(1).max(256),
    unitType: addressableName,
    unit: z.string().min(1).max(256),
    time: reportedTime.refine(isReportable, tooFarAhead),
    attributes: jsonObject.optional(),
  })
  .meta({ id: 'ExposureInput', examples: [example] });

export type ExposureInput = z.infer<typeof exposureInput>;

export const exposuresImport = z
  .object({ exposures: z.array(exposureInput).min(1).max(1000) })
  .meta({ id: 'ExposuresImport', examples: [{ exposures: [example] }] });
