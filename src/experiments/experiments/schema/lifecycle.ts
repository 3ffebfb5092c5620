import * as z from 'zod';
import { flag, name, time } from '../../../base/fields.ts';

export const experimentStatuses = [
  'active',
  'setup',
  'decision_made',
  'abandoned',
  'archived',
  'experiment_stopped',
  'assignment_stopped',
] as const;

export const experimentStatus = z.enum(experimentStatuses).meta({ id: 'ExperimentStatus' });
export type ExperimentStatus = z.infer<typeof experimentStatus>;

export const experimentRemoval = z.object({ force: flag });

export const restartBody = z
  .object({ name })
  .meta({ id: 'RestartAsNew', examples: [{ name: 'Checkout button, again' }] });

const reason = z.string().trim().min(1, 'must not be blank').meta({ minLength: 1 });

export const decisionBody = z
  .object({
    id: z.string(),
    decisionReason: z.string().trim().optional(),
    removeTargeting: z.boolean().optional(),
  })
  .meta({ id: 'MakeDecision', examples: [{ id: 'test', decisionReason: 'Sold 3 % more.' }] });

const timeInput = z.union([
  time,
  z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
]);

export const startTimeInput = timeInput.refine(
  (start) => start >= Date.UTC(2000),
  'must not be before the year 2000',
);

export const startBody = z
  .object({
    startTime: startTimeInput.optional(),
  })
  .meta({ id: 'ExperimentStart', examples: [{ startTime: '2026-01-01T09:00:00Z' }] });

export const scheduleBody = z
  .object({ startTime: timeInput.nullable() })
  .meta({ id: 'ScheduledStart', examples: [{ startTime: '2126-01-01T09:00:00Z' }] });

const reasonExample = { decisionReason: 'The button was broken on phones.' };

export const reasonBody = z
  .object({ decisionReason: reason })
  .meta({ id: 'DecisionReason', examples: [reasonExample] });

export const optionalReason = reasonBody
  .partial()
  .meta({ id: 'OptionalDecisionReason', examples: [reasonExample] });
