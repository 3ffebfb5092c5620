import * as z from 'zod';
import { Problem } from '../../base/problem.ts';
import { dayOfDate, dayOfTime } from '../../base/time.ts';
import { day } from '../../base/time_fields.ts';

const reportTypes = ['first_exposures', 'pulse_daily', 'topline_impact_daily'] as const;

export type ReportType = (typeof reportTypes)[number];

const date = day;

export const reportQuery = z.object({
  type: z.enum(reportTypes),
  date,
});

export const reportDate = z.object({ date });

export const reportParam = z.object({
  type: z.string(),
});

/** Returns the type of a report. @throws Problem 404 for an unknown type */
export function reportTypeOf(given: string): ReportType {
  const type = reportTypes.find((one) => one === given);
  if (type) return type;
  throw new Problem('not_found', `There is no report ${given}; use ${reportTypes.join(', ')}.`);
}

/** @throws Problem 400 for a day in the future */
export function requirePast(given: string): void {
  if (dayOfDate(given) > dayOfTime(Date.now()))
    throw Problem.property('date', 'must not be in the future');
}

export const reportLink = z.object({ url: z.string() }).meta({
  id: 'ReportLink',
  examples: [{ url: '/console/v1/reports/pulse_daily?date=2026-01-02' }],
});
