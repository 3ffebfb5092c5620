import * as z from 'zod';
import { addressableName, displayName, wordFilter } from '../../base/fields.ts';
import { report } from '../../base/report.ts';
import { day } from '../../base/time_fields.ts';
import { pageQuery } from '../../platform/http/envelope.ts';
import { metricType } from '../metrics/schema.ts';

const example = {
  value: 0.25,
  unitType: 'userID',
  numerator: 250,
  denominator: 1000,
  metricName: 'Conversion',
  metricType: 'ratio',
};

const metricValue = z.object({
  value: z.number(),
  unitType: z.string(),
  numerator: z.number().nullable(),
  denominator: z.number().nullable(),
  metricName: z.string(),
  metricType,
});

export type MetricValue = z.infer<typeof metricValue>;

export const metricValueResponse = metricValue
  .extend({ date: day })
  .meta({ id: 'MetricValue', examples: [{ ...example, date: '2026-01-01' }] });

export type ListedValue = z.infer<typeof metricValueResponse>;

export const valueInput = z
  .object({
    metricName: displayName(1, 200),
    metricType,
    unitType: addressableName,
    value: z.number(),
    numerator: z.number().nullable().optional(),
    denominator: z.number().nullable().optional(),
    date: day.optional(),
  })
  .meta({ id: 'MetricValueInput' });

export const valuesImport = z
  .object({ date: day, values: z.array(valueInput).min(1).max(1000) })
  .superRefine(({ date, values }, context) => {
    values.forEach((value, index) => {
      if ((value.date ?? date) !== date)
        report(context, 'must be the date of the import', 'values', index, 'date');
    });
  })
  .meta({ id: 'MetricValuesImport', examples: [{ date: '2026-01-01', values: [example] }] });

export const valueList = pageQuery
  .extend({
    date: day.optional(),
    startDate: day.optional(),
    endDate: day.optional(),
    metricName: wordFilter,
    metricType: metricType.optional(),
  })
  .superRefine(({ date, startDate, endDate }, context) => {
    if (date !== undefined && (startDate ?? endDate) !== undefined)
      report(context, 'must be absent if startDate or endDate is given', 'date');
    if (date !== undefined) return;
    if ((startDate ?? endDate) === undefined)
      report(context, 'is required, unless startDate and endDate are given', 'date');
    else if (startDate === undefined) report(context, 'is required with endDate', 'startDate');
    else if (endDate === undefined) report(context, 'is required with startDate', 'endDate');
    else if (endDate < startDate) report(context, 'must not be before startDate', 'endDate');
  });

export const valueRemoval = z.object({ date: day, metricName: z.string().min(1), metricType });

export const removedResponse = z
  .object({ removed: z.int() })
  .meta({ id: 'Removed', examples: [{ removed: 1 }] });

/** Returns the stored form of a value, without its day. */
export const newValue = ({ date: _day, ...given }: z.infer<typeof valueInput>): MetricValue => ({
  ...given,
  numerator: given.numerator ?? null,
  denominator: given.denominator ?? null,
});
