import * as z from 'zod';
import { propertyChange } from '../../operations/history.ts';
import { listQuery } from '../../operations/query.ts';
import {
  description,
  nullableText,
  repeatable,
  stamps,
  stampsExample,
  time,
} from '../../shared/fields.ts';
import { rule } from '../../shared/rules.ts';
import { example as pipelineExample, pipelineResponse } from '../release_pipelines/schema.ts';

export const triggerStatuses = [
  'IN_PROGRESS',
  'PAUSED',
  'WAITING_FOR_REVIEW',
  'COMPLETED',
  'ABORTED',
] as const;

const triggerStatus = z.enum(triggerStatuses).meta({ id: 'ReleaseStatus' });
export type TriggerStatus = z.infer<typeof triggerStatus>;

const action = z
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
    reason: z
      .string()
      .optional()
      .meta({ description: 'Why a phase could not begin, of a release that paused by itself.' }),
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

/** A release pipeline trigger. */
export const triggerResponse = z
  .object({
    id: z.string(),
    releasePipelineID: z.string(),
    gateID: z.string().meta({ description: 'The gate that is released; empty when none.' }),
    dynamicConfigID: z
      .string()
      .meta({ description: 'The dynamic config that is released; empty when none.' }),
    configSnapshotID: z.string().meta({
      description: 'Kind, id and version of what is released, as it was before: `gate:checkout:3`.',
    }),
    description: z.string(),
    status: triggerStatus,
    currentPhase: z.string(),
    currentPhaseID: z.string(),
    currentPhaseEndTime: z.number().meta({
      description:
        'Epoch milliseconds. Of a paused phase, the end it had when it was paused; of one that waits for review, its end had it begun at once; of a finished release, its end.',
    }),
    actions: z.array(action),
    phases: pipelineResponse.shape.phases.meta({
      description: 'The phases of the pipeline when the release started.',
    }),
    ...stamps,
  })
  .meta({ id: 'ReleasePipelineTrigger', examples: [{ ...example, ...stampsExample }] });

/** A trigger as it is stored: what it needs to go its way is kept with it, whatever becomes of its pipeline. */
export const storedTrigger = triggerResponse.extend({
  /** The rules that the gate or dynamic config had before, for an abort to put back. */
  configSnapshot: z.array(rule),
  /** The pipeline that it had before, likewise. */
  earlierPipelineID: nullableText,
  /** The phase whose rules are in force; null where the rules before are. */
  appliedPhaseID: nullableText,
  currentPhaseEndTime: time,
  /** When the wait of the current phase ends, in epoch milliseconds; null unless IN_PROGRESS. */
  dueTime: time.nullable(),
  /** The rest of a paused phase, in milliseconds; null unless PAUSED. */
  remainingMs: z.int().nullable(),
});

export type Trigger = z.infer<typeof storedTrigger>;

const edit = z
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

/** The answer of an abort: the trigger, and what is taken back by it. */
export const abortResponse = triggerResponse
  .extend({
    takenBack: z.object({
      kind: z.string(),
      id: z.string(),
      changes: z.array(propertyChange),
      edits: z.array(edit).meta({
        description: 'The changes of the rules by others than releases since the start.',
      }),
    }),
  })
  .meta({ id: 'AbortedRelease', examples: [{ ...example, ...stampsExample, takenBack }] });

/** Body of POST /release_pipeline_triggers. */
export const triggerCreate = z
  .object({
    releasePipelineID: z.string().min(1),
    gateID: nullableText.optional(),
    dynamicConfigID: nullableText.optional(),
    description: description.optional(),
  })
  .refine(({ gateID, dynamicConfigID }) => Boolean(gateID) !== Boolean(dynamicConfigID), {
    path: ['gateID'],
    message: 'must be given, or dynamicConfigID: exactly one of the two',
  })
  .meta({
    id: 'ReleasePipelineTriggerCreate',
    examples: [{ releasePipelineID: 'careful', gateID: 'new_checkout' }],
  });

/** Body of the moves of a trigger: the phase that the caller takes for the current one. */
export const phaseBody = z
  .object({ phaseID: z.string() })
  .meta({ id: 'CurrentPhase', examples: [{ phaseID: 'canary' }] });

/** Query of GET /release_pipeline_triggers. */
export const triggerList = listQuery.extend({
  releasePipelineID: z.string().optional(),
  gateID: z.string().optional(),
  dynamicConfigID: z.string().optional(),
  status: repeatable(triggerStatus),
});
