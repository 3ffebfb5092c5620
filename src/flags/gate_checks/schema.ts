import * as z from 'zod';
import { time } from '../../base/fields.ts';

export const maxDays = 30;

export const checksQuery = z.object({
  days: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(1).max(maxDays))
    .default(1),
});

const counts = {
  checks: z.int(),
  passes: z.int(),
  fails: z.int(),
};

const hour = time;

const startTime = time;

const example = { time: 1767225600000, checks: 60, passes: 20, fails: 40 };

export const gateChecksResponse = z
  .object({
    startTime,
    hours: z.array(
      z.object({
        time: hour,
        ruleID: z.string().nullable(),
        ...counts,
      }),
    ),
  })
  .meta({
    id: 'GateChecks',
    examples: [{ startTime: 1767225600000, hours: [{ ...example, ruleID: 'default' }] }],
  });

export const allChecksResponse = z
  .object({
    startTime,
    hours: z.array(z.object({ time: hour, ...counts })),
  })
  .meta({ id: 'AllGateChecks', examples: [{ startTime: 1767225600000, hours: [example] }] });
