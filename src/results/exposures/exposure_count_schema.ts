import * as z from 'zod';
import { idsInParameter } from '../base/query.ts';

const maxIDs = 25;

const ids = (noun: string) =>
  z
    .string()
    .refine((text) => idsInParameter(text).length <= maxIDs, `must name at most ${maxIDs} ${noun}`)
    .optional()
    .meta({ description: `IDs of ${noun}, separated by commas; at most ${maxIDs}.` });

export const exposureCountsQuery = z.object({
  experiments: ids('experiments'),
  gates: ids('gates'),
  dynamicConfigs: ids('dynamic configs'),
});

const count = z.int().nullable();

const counts = z
  .object({
    id: z.string(),
    pastDay: count.meta({ description: 'Exposures of the last whole day (UTC).' }),
    past7Days: count.meta({ description: 'Exposures of the last 7 whole days (UTC).' }),
  })
  .meta({ id: 'ExposureCount', examples: [{ id: 'green_button', pastDay: 60, past7Days: 120 }] });

export const exposureCounts = z
  .object({
    experiments: z.array(counts).meta({ description: 'Exposures of experiments, by day.' }),
    gates: z.array(counts).meta({ description: 'Gates whose rules are measured have exposures.' }),
    dynamicConfigs: z.array(counts).meta({
      description: 'Exposures of dynamic configs are not recorded: their counts are null.',
    }),
  })
  .meta({ id: 'ExposureCounts' });
