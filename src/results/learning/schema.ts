import * as z from 'zod';
import { time } from '../../base/fields.ts';
import { day } from '../../base/time_fields.ts';
import { learnedExample } from './example.ts';

const share = z.number().nullable();

const learned = {
  name: z.string(),
  units: z.int().meta({ description: 'Units whose attribution window is over.' }),
  successes: z.int().meta({ description: 'Units with a success event within the window.' }),
  probabilityOfBest: share.meta({
    description: 'From 0 to 1; null while the values of units do not vary.',
  }),
  allocation: z.number().meta({ description: 'The share of units from then on, in percent.' }),
};

export const autotuneResults = z
  .object({
    time: time.nullable().meta({
      description:
        'The hour until which trials count, in epoch milliseconds; null before the first.',
    }),
    explorationEndTime: time.meta({ description: 'When exploration ends, in epoch milliseconds.' }),
    variants: z.array(
      z.object({
        ...learned,
        rate: share.meta({ description: 'The share of units with a success, from 0 to 1.' }),
        mean: share.meta({ description: 'The mean value of a unit, if values are optimized.' }),
        interval: z
          .object({
            lower: z.number().meta({ description: 'The lower bound.' }),
            upper: z.number().meta({ description: 'The upper bound.' }),
          })
          .nullable()
          .meta({
            description: 'The 95% interval of the rate, or of the mean if that is optimized.',
          }),
      }),
    ),
    hours: z
      .array(z.object({ time, variants: z.array(z.object(learned)) }))
      .meta({ description: 'The hours of the day.' }),
    warnings: z.array(z.string()).meta({ description: 'Settings that are not used.' }),
  })
  .meta({ id: 'AutotuneResults', examples: [learnedExample] });

export const autotuneResultsQuery = z.object({
  date: day.optional().meta({ description: 'The day (UTC); the latest with results if absent.' }),
  start: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number())
    .optional()
    .meta({ description: 'The start of an earlier run, in epoch milliseconds.' }),
});
