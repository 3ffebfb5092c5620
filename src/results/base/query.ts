import * as z from 'zod';
import { distinct } from '../../base/distinct.ts';
import { flag } from '../../base/fields.ts';
import { day } from '../../base/time_fields.ts';
import { seriesViews } from './schema.ts';

/** Returns the IDs of a parameter, each once. */
export const idsInParameter = (text = ''): string[] =>
  distinct(text.split(',').filter((id) => id !== ''));

const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

const numberIn = (schema: z.ZodNumber) =>
  z.string().regex(decimal, 'must be a number').transform(Number).pipe(schema).optional();

const group = z.string().min(1);

const switches = {
  cuped: flag.meta({ description: 'Whether values before the exposure reduce the variance.' }),
  confidence: numberIn(z.number().gt(0).lt(100)).meta({ description: 'In percent.' }),
  applyBonferroniPerVariant: flag,
  applyBonferroniPerMetric: flag,
  bonferroniPrimaryMetricWeight: numberIn(z.number().min(0).max(1)).meta({
    description: 'The share of the error rate that primary metrics have together, 0 to 1.',
  }),
  applyBenjaminiHochbergPerMetric: flag,
  applyBenjaminiHochbergPerVariant: flag,
  sequential: flag.meta({ description: 'Whether results may be read before the planned end.' }),
};

const run = {
  start: numberIn(z.number().int()).meta({
    description: 'The start of an earlier run, in epoch milliseconds.',
  }),
};

const date = day
  .optional()
  .meta({ description: 'The day (UTC); the latest with results if absent.' });

const rollup = z
  .enum(['-1', '1', '7'])
  .transform(Number)
  .pipe(z.number())
  .optional()
  .meta({ description: 'How many days up to the date count; -1 for all.' });

const groups = {
  control: group.meta({ description: 'The ID of the control group.' }),
  test: group.meta({ description: 'The ID of the test group.' }),
};

const metricID = z.string().min(1).meta({ description: 'The ID of a metric of the experiment.' });

export const runQuery = z.object(run);

export const pulseQuery = z.object({ ...groups, ...switches, date, rollup, ...run });

export const metricResultQuery = pulseQuery.extend({
  metricID,
  dimension: z.string().min(1).optional().meta({
    description: 'A dimension of the experiment, by whose values the result is sliced.',
  }),
});

export const seriesQuery = z.object({
  ...groups,
  ...switches,
  metricID,
  view: z.enum(seriesViews).optional().meta({
    description:
      'Whether a point counts all days so far, its own, or what each unit did on that day after its exposure.',
  }),
  startDate: day.optional().meta({ description: 'The first day (UTC) that counts.' }),
  endDate: day.optional().meta({ description: 'The last day (UTC) that counts.' }),
  ...run,
});

export const sparksQuery = z.object({ ...groups, cuped: switches.cuped, ...run });

export const exposuresQuery = z.object({
  dimension: z.string().min(1).optional().meta({ description: 'A dimension of the experiment.' }),
  ...run,
});

export const summariesQuery = z.object({
  ids: z
    .string()
    .min(1)
    .meta({ description: 'IDs of experiments, separated by commas; at most 100.' }),
});

export const liftsQuery = z.object({
  cuped: switches.cuped,
  confidence: switches.confidence,
  date,
  ...run,
});

export type PulseQuery = z.output<typeof pulseQuery>;
