import * as z from 'zod';
import { time } from '../../base/fields.ts';

export const maxDays = 30;

export const checksQuery = z.object({
  days: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(1).max(maxDays))
    .default(1)
    .meta({ description: 'How many times 24 hours, up to the running hour.' }),
});

const counts = {
  checks: z.int().meta({ description: 'The checks of the hour.' }),
  passes: z.int().meta({ description: 'The checks that passed.' }),
  fails: z.int().meta({
    description: 'The checks that did not pass. Some SDKs report checks without outcome.',
  }),
};

const hour = time.meta({ description: 'The beginning of the hour, in epoch milliseconds.' });

const startTime = time.meta({
  description: 'The beginning of the first hour, in epoch milliseconds.',
});

const example = { time: 1767225600000, checks: 60, passes: 20, fails: 40 };

export const gateChecksResponse = z
  .object({
    startTime,
    hours: z
      .array(
        z.object({
          time: hour,
          ruleID: z.string().nullable().meta({
            description:
              'The ID of the rule, or `override`, `holdout`, `launched`, `default` or `disabled`; null if it was not reported.',
          }),
          ...counts,
        }),
      )
      .meta({ description: 'The hours with checks, oldest first, by rule.' }),
  })
  .meta({
    id: 'GateChecks',
    examples: [{ startTime: 1767225600000, hours: [{ ...example, ruleID: 'default' }] }],
  });

export const allChecksResponse = z
  .object({
    startTime,
    hours: z
      .array(z.object({ time: hour, ...counts }))
      .meta({ description: 'The hours with checks, oldest first.' }),
  })
  .meta({ id: 'AllGateChecks', examples: [{ startTime: 1767225600000, hours: [example] }] });
