import * as z from 'zod';
import { time } from '../../base/fields.ts';
import { day } from '../../base/time_fields.ts';
import { learnedExample } from './example.ts';

const share = z.number().nullable();

const learned = {
  name: z.string(),
  units: z.int(),
  successes: z.int(),
  probabilityOfBest: share,
  allocation: z.number(),
};

export const autotuneResults = z
  .object({
    time: time.nullable(),
    explorationEndTime: time,
    variants: z.array(
      z.object({
        ...learned,
        rate: share,
        mean: share,
        interval: z
          .object({
            lower: z.number(),
            upper: z.number(),
          })
          .nullable(),
      }),
    ),
    hours: z.array(z.object({ time, variants: z.array(z.object(learned)) })),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'AutotuneResults', examples: [learnedExample] });

export const autotuneResultsQuery = z.object({
  date: day.optional(),
  start: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number())
    .optional(),
});
