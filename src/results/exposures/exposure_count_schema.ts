import * as z from 'zod';
import { idsInParameter } from '../base/query.ts';

export const maxIDs = 25;

const ids = (noun: string) =>
  z
    .string()
    .refine((text) => idsInParameter(text).length <= maxIDs, `must name at most ${maxIDs} ${noun}`)
    .optional();

export const exposureCountsQuery = z.object({
  experiments: ids('experiments'),
  gates: ids('gates'),
  dynamicConfigs: ids('dynamic configs'),
});

const count = z.int().nullable();

export const exposureCount = z
  .object({
    id: z.string(),
    pastDay: count,
    past7Days: count,
  })
  .meta({ id: 'ExposureCount', examples: [{ id: 'green_button', pastDay: 60, past7Days: 120 }] });

export const exposureCounts = z
  .object({
    experiments: z.array(exposureCount),
    gates: z.array(exposureCount),
    dynamicConfigs: z.array(exposureCount),
  })
  .meta({ id: 'ExposureCounts' });
