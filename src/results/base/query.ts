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
  cuped: flag,
  confidence: numberIn(z.number().gt(0).lt(100)),
  applyBonferroniPerVariant: flag,
  applyBonferroniPerMetric: flag,
  bonferroniPrimaryMetricWeight: numberIn(z.number().min(0).max(1)),
  applyBenjaminiHochbergPerMetric: flag,
  applyBenjaminiHochbergPerVariant: flag,
  sequential: flag,
};

const run = {
  start: numberIn(z.number().int()),
};

const date = day.optional();

const rollup = z.enum(['-1', '1', '7']).transform(Number).pipe(z.number()).optional();

const groups = {
  control: group,
  test: group,
};

const metricID = z.string().min(1);

export const runQuery = z.object(run);

export const pulseQuery = z.object({ ...groups, ...switches, date, rollup, ...run });

export const metricResultQuery = pulseQuery.extend({
  metricID,
  dimension: z.string().min(1).optional(),
});

export const seriesQuery = z.object({
  ...groups,
  ...switches,
  metricID,
  view: z.enum(seriesViews).optional(),
  startDate: day.optional(),
  endDate: day.optional(),
  ...run,
});

export const sparksQuery = z.object({ ...groups, cuped: switches.cuped, ...run });

export const exposuresQuery = z.object({
  dimension: z.string().min(1).optional(),
  ...run,
});

export const summariesQuery = z.object({
  ids: z.string().min(1),
});

export const liftsQuery = z.object({
  cuped: switches.cuped,
  confidence: switches.confidence,
  date,
  ...run,
});

export type PulseQuery = z.output<typeof pulseQuery>;
