import * as z from 'zod';
import { pageQuery } from '../../http/envelope.ts';
import { day, displayName } from '../../shared/fields.ts';
import { metricType } from '../metrics/schema.ts';

const example = {
  value: 0.25,
  unitType: 'userID',
  numerator: 250,
  denominator: 1000,
  metricName: 'Conversion',
  metricType: 'ratio',
};

/** A metric value as it is listed (contract, metric value). */
export const metricValueResponse = z
  .object({
    value: z.number(),
    unitType: z.string(),
    numerator: z.number().nullable(),
    denominator: z.number().nullable(),
    metricName: z.string(),
    metricType,
  })
  .meta({ id: 'MetricValue', examples: [example] });

export type MetricValue = z.infer<typeof metricValueResponse>;

const valueInput = z
  .object({
    metricName: displayName(1, 200),
    metricType,
    unitType: displayName(1, 200),
    value: z.number(),
    numerator: z.number().nullable().optional(),
    denominator: z.number().nullable().optional(),
  })
  .meta({ id: 'MetricValueInput' });

/** Body of POST /metrics/values (completions, section 4). */
export const valuesImport = z
  .object({ date: day, values: z.array(valueInput).min(1).max(1000) })
  .meta({ id: 'MetricValuesImport', examples: [{ date: '2026-01-01', values: [example] }] });

/** Query of GET /metrics/values (contract, operation 16). */
export const valueList = pageQuery.extend({
  date: day.meta({ description: 'The day (UTC) of the values.' }),
  metricName: z.string().optional(),
  metricType: metricType.optional(),
});

/** A metric value of a body as it is stored. */
export const newValue = (given: z.infer<typeof valueInput>): MetricValue => ({
  ...given,
  numerator: given.numerator ?? null,
  denominator: given.denominator ?? null,
});

/** Values of one metric and unit come once: the last of them. */
export function lastOfEach(values: MetricValue[]): MetricValue[] {
  const keyOf = ({ metricName, metricType, unitType }: MetricValue) =>
    JSON.stringify([metricName, metricType, unitType]);
  return [...new Map(values.map((value) => [keyOf(value), value])).values()];
}
