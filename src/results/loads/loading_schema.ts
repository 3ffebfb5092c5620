import * as z from 'zod';
import { nullableText, time } from '../../base/fields.ts';
import { limits } from '../../base/limits.ts';
import { report } from '../../base/report.ts';

const refresh = z.enum(['full', 'incremental', 'metric']);

export const loadBody = z
  .object({
    refresh: refresh.optional().meta({
      description: 'All days, the days without results (the default), or all days of `metricIDs`.',
    }),
    metricIDs: z.array(z.string()).min(1).max(limits.metrics).optional().meta({
      description: 'The metrics to load, with refresh `metric`.',
    }),
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
    finishedTime: time.nullable().meta({ description: 'Null while it is under way.' }),
    finishedState: nullableText,
    startDs: nullableText.meta({ description: 'The first day (UTC); null if no day is loaded.' }),
    endDs: nullableText.meta({ description: 'The last day (UTC).' }),
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
