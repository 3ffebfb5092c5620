import * as z from 'zod';
import {
  description,
  nullableText,
  repeatable,
  stamps,
  stampsExample,
  time,
} from '../../base/fields.ts';
import { propertyChange } from '../../platform/operations/history.ts';
import { listQuery } from '../../platform/operations/query.ts';
import { example as pipelineExample, pipelineResponse } from '../pipelines/schema.ts';
import { rule } from '../rules/rules.ts';

export const triggerStatuses = [
  'IN_PROGRESS',
  'PAUSED',
  'WAITING_FOR_REVIEW',
  'COMPLETED',
  'ABORTED',
] as const;

const triggerStatus = z.enum(triggerStatuses).meta({ id: 'ReleaseStatus' });
export type TriggerStatus = z.infer<typeof triggerStatus>;

export const action = z
  .object({
    type: z.enum([
      'STARTED',
      'PAUSED',
      'UNPAUSED',
      'APPROVED_FOR',
      'SKIPPED',
      'FULL_ROLL_OUT',
      'ABORTED',
      'CLEANED_UP',
    ]),
    timeMs: time,
    phaseID: z.string(),
    actorName: z.string(),
    actorID: z.string(),
    reason: z.string().optional(),
  })
  .meta({ id: 'ReleaseAction' });

export type Action = z.infer<typeof action>;

const example = {
  id: '3f0c9a52-8c1e-4b56-b7a0-6f9d2c1e4a77',
  releasePipelineID: 'careful',
  gateID: 'new_checkout',
  dynamicConfigID: '',
  configSnapshotID: 'gate:new_checkout:3',
  description: 'The one-page checkout goes out.',
  status: 'IN_PROGRESS',
  currentPhase: 'Canary',
  currentPhaseID: 'canary',
  currentPhaseEndTime: 1767229200000,
  actions: [
    {
      type: 'STARTED',
      timeMs: 1767225600000,
      phaseID: 'canary',
      actorName: 'CONSOLE API',
      actorID: 'root',
    },
  ],
  phases: pipelineExample.phases.slice(0, 1),
};

export const triggerResponse = z
  .object({
    id: z.string(),
    releasePipelineID: z.string(),
    gateID: z.string(),
    dynamicConfigID: z.string(),
    configSnapshotID: z.string(),
    description: z.string(),
    status: triggerStatus,
    currentPhase: z.string(),
    currentPhaseID: z.string(),
    currentPhaseEndTime: z.number(),
    actions: z.array(action),
    phases: pipelineResponse.shape.phases,
    ...stamps,
  })
  .meta({ id: 'ReleasePipelineTrigger', examples: [{ ...example, ...stampsExample }] });

/** The stored release; it keeps a copy of its phases, independent of later changes of its pipeline. */
export const storedTrigger = triggerResponse.extend({
  configSnapshot: z.array(rule),
  earlierPipelineID: nullableText,
  appliedPhaseID: nullableText,
  currentPhaseEndTime: time,
  dueTime: time.nullable(),
  remainingMs: z.int().nullable(),
});

export type Trigger = z.infer<typeof storedTrigger>;

export const edit = z
  .object({
    version: z.int(),
    action: z.string(),
    actorID: z.string(),
    actorName: z.string(),
    time,
  })
  .meta({ id: 'ReleaseEdit' });

const takenBack = {
  kind: 'gate',
  id: 'new_checkout',
  changes: [{ property: 'rules', old: [], new: [] }],
  edits: [],
};

export const abortResponse = triggerResponse
  .extend({
    takenBack: z.object({
      kind: z.string(),
      id: z.string(),
      changes: z.array(propertyChange),
      edits: z.array(edit),
    }),
  })
  .meta({ id: 'AbortedRelease', examples: [{ ...example, ...stampsExample, takenBack }] });

export const triggerCreate = z
  .object({
    releasePipelineID: z.string().min(1),
    gateID: nullableText.optional(),
    dynamicConfigID: nullableText.optional(),
    description: description.optional(),
  })
  .refine(({ gateID, dynamicConfigID }) => Boolean(gateID) !== Boolean(dynamicConfigID), {
    path: ['gateID'],
    message: 'must be given, or else dynamicConfigID: exactly one of the two',
  })
  .meta({
    id: 'ReleasePipelineTriggerCreate',
    examples: [{ releasePipelineID: 'careful', gateID: 'new_checkout' }],
  });

export const phaseBody = z
  .object({ phaseID: z.string() })
  .meta({ id: 'CurrentPhase', examples: [{ phaseID: 'canary' }] });

export const triggerList = listQuery.extend({
  releasePipelineID: z.string().optional(),
  gateID: z.string().optional(),
  dynamicConfigID: z.string().optional(),
  status: repeatable(triggerStatus),
});
