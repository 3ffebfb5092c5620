import * as z from 'zod';
import { nullableText } from '../../base/fields.ts';
import { day } from '../../base/time_fields.ts';
import { baseline } from './power_schema.ts';

const number = z.number().nullable();

const reason = {
  reason: z
    .enum(['not_computable', 'unit_type', 'no_units', 'too_few_units', 'zero_denominator'])
    .nullable(),
  reasonDetail: nullableText,
};

const traffic = {
  unitsPerDay: z.number(),
  isPartial: z.boolean(),
};

export const metricPreview = z
  .object({
    from: day,
    to: day,
    unitType: z.string(),
    units: z.int(),
    ...traffic,
    value: number,
    baseline: baseline.nullable(),
    steps: z.array(z.object({ event: z.string(), count: z.int() })).nullable(),
    skippedEvents: z.int(),
    days: z.array(
      z.object({
        ds: day,
        units: z.int(),
        value: number,
      }),
    ),
    ...reason,
    warnings: z.array(z.string()),
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
  metricID: z.string().min(1),
  days: z.enum(['14', '28']).transform(Number).pipe(z.number()).optional(),
});

export const experimentBaseline = z
  .object({
    metricID: z.string(),
    from: day,
    to: day,
    units: z.int(),
    ...traffic,
    baseline: baseline.nullable(),
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
