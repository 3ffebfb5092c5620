import * as z from 'zod';
import { nullableText, time } from '../../base/fields.ts';
import { limits } from '../../base/limits.ts';
import { report } from '../../base/report.ts';

const refresh = z.enum(['full', 'incremental', 'metric']);

export const loadBody = z
  .object({
    refresh: refresh.optional(),
    metricIDs: z.array(z.string()).min(1).max(limits.metrics).optional(),
  })
  .superRefine(({ refresh: given, metricIDs }, context) => {
    if (given === 'metric' && !metricIDs)
      report(context, 'is required with refresh metric', 'metricIDs');
    if (given !== 'metric' && metricIDs)
      report(context, 'must be absent unless refresh is metric', 'metricIDs');
  })
  .meta({ id: 'LoadBody', examples: [{ refresh: 'incremental' }] });

export const pulseLoad = z
  .object({
    creatorName: z.string(),
    createdTime: time,
    finishedTime: time.nullable(),
    finishedState: nullableText,
    startDs: nullableText,
    endDs: nullableText,
    reloadType: refresh,
    turboMode: z.boolean(),
  })
  .meta({
    id: 'PulseLoad',
    examples: [
      {
        creatorName: 'CONSOLE API',
        createdTime: 1_767_225_600_000,
        finishedTime: null,
        finishedState: null,
        startDs: '2026-01-01',
        endDs: '2026-01-03',
        reloadType: 'incremental',
        turboMode: false,
      },
    ],
  });
