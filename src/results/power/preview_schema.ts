import * as z from 'zod';
import { nullableText } from '../../base/fields.ts';
import { day } from '../../base/time_fields.ts';
import { baseline } from './power_schema.ts';

const number = z.number().nullable();

const reason = {
  reason: z
    .enum(['not_computable', 'unit_type', 'no_units', 'too_few_units', 'zero_denominator'])
    .nullable()
    .meta({ description: 'Why numbers are missing; null if none is.' }),
  reasonDetail: nullableText.meta({
    description: 'The reason in a sentence, of a metric that is not computed.',
  }),
};

const traffic = {
  unitsPerDay: z.number().meta({ description: 'New units a day: each counts once.' }),
  isPartial: z.boolean().meta({
    description: 'Whether the numbers are from the first 10,000 units by ID, or 500,000 events.',
  }),
};

export const metricPreview = z
  .object({
    from: day.meta({ description: 'The first day (UTC).' }),
    to: day.meta({ description: 'The last day (UTC), which is over.' }),
    unitType: z.string().meta({ description: 'The first ID type of the metric, in lower case.' }),
    units: z.int().meta({ description: 'The units with an event of any name.' }),
    ...traffic,
    value: number.meta({ description: 'The mean, share, ratio or percentile of all days.' }),
    baseline: baseline.nullable().meta({
      description: 'What a power analysis takes; null for percentiles and fewer than two units.',
    }),
    steps: z
      .array(z.object({ event: z.string(), count: z.int() }))
      .nullable()
      .meta({ description: 'What each step of a funnel reached; null for other metrics.' }),
    skippedEvents: z.int().meta({ description: 'The events without a number.' }),
    days: z
      .array(
        z.object({
          ds: day,
          units: z.int().meta({ description: 'The units with an event of any name on the day.' }),
          value: number.meta({ description: 'The value of the day; null without units.' }),
        }),
      )
      .meta({ description: 'Each day by itself; empty for a metric with a window.' }),
    ...reason,
    warnings: z.array(z.string()).meta({ description: 'Fields that are not used.' }),
  })
  .meta({
    id: 'MetricPreview',
    examples: [
      {
        from: '2026-01-01',
        to: '2026-01-14',
        unitType: 'userid',
        units: 280,
        unitsPerDay: 20,
        isPartial: false,
        value: 0.5,
        baseline: { mean: 0.5, variance: 0.25, isProportion: true },
        steps: null,
        skippedEvents: 0,
        days: [{ ds: '2026-01-01', units: 20, value: 0.5 }],
        reason: null,
        reasonDetail: null,
        warnings: [],
      },
    ],
  });

export const baselineQuery = z.object({
  metricID: z.string().min(1).meta({ description: 'The ID of any metric.' }),
  days: z
    .enum(['14', '28'])
    .transform(Number)
    .pipe(z.number())
    .optional()
    .meta({ description: 'The last whole days that count; 14 if absent.' }),
});

export const experimentBaseline = z
  .object({
    metricID: z.string(),
    from: day.meta({ description: 'The first day (UTC).' }),
    to: day.meta({ description: 'The last day (UTC), which is over.' }),
    units: z.int().meta({
      description: 'The targeted units with an event of any name; estimated if isPartial.',
    }),
    ...traffic,
    baseline: baseline.nullable().meta({
      description: 'The metric among these units, as a power analysis takes it.',
    }),
    ...reason,
  })
  .meta({
    id: 'ExperimentBaseline',
    examples: [
      {
        metricID: 'Sign-ups::event_user',
        from: '2026-01-01',
        to: '2026-01-14',
        units: 2800,
        unitsPerDay: 200,
        isPartial: false,
        baseline: { mean: 0.12, variance: 0.1057, isProportion: false },
        reason: null,
        reasonDetail: null,
      },
    ],
  });
