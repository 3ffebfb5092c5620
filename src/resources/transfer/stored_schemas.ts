import * as z from 'zod';
import { nullableText, stamps, time } from '../../shared/fields.ts';
import { rule } from '../../shared/rules.ts';
import { unitOverridesResponse } from '../../shared/unit_overrides.ts';
import { dynamicConfigResponse, dynamicConfigStatuses } from '../dynamic_configs/schema.ts';
import { experimentStatuses } from '../experiments/lifecycle_schema.ts';
import { overridesResponse as experimentOverrides } from '../experiments/overrides_schema.ts';
import { storedScore } from '../experiments/quality_schema.ts';
import { rulesText } from '../experiments/rules_text.ts';
import { experimentResponse } from '../experiments/schema.ts';
import { unset } from '../experiments/settings.ts';
import { gateResponse, gateStatuses } from '../gates/schema.ts';
import { holdoutResponse } from '../holdouts/schema.ts';
import { triggerResponse } from '../release_pipeline_triggers/schema.ts';
import { pipelineResponse } from '../release_pipelines/schema.ts';
import { sectionsWithoutSecrets } from '../wh_connections/schema.ts';
import { connectionID } from '../wh_connections/table.ts';

// The stored state of kinds of which more is kept than is answered, or more is answered than is kept.

/** A schema some of whose properties may be absent. */
const lacking = (schema: z.ZodObject, properties: readonly string[]): z.ZodObject =>
  z.object({
    ...schema.shape,
    ...Object.fromEntries(
      properties.map((name) => [name, z.optional(schema.shape[name] ?? z.never())]),
    ),
  });

export const storedConnection = sectionsWithoutSecrets.extend({
  id: z.literal(connectionID),
  ...stamps,
});

export const storedGate = gateResponse
  .omit({ isEnabled: true, typeReason: true, checksPerHour: true })
  .extend({
    overrides: unitOverridesResponse,
    ruleTimes: z.record(z.string(), time),
    archivedFrom: z.enum(gateStatuses).nullable(),
    archiveReason: nullableText,
    forceArchive: z.boolean(),
  });

export const storedDynamicConfig = dynamicConfigResponse
  .omit({ isEnabled: true })
  .extend({ archivedFrom: z.enum(dynamicConfigStatuses).nullable() });

export const storedExperiment = lacking(
  experimentResponse.omit({ healthChecks: true, healthCheckStatus: true, isStale: true }).extend({
    overrides: experimentOverrides,
    archivedFrom: z.enum(experimentStatuses).nullable(),
    inlineTargetingRulesJSON: rulesText,
    manualQualityScores: z.array(storedScore),
    allocatedBuckets: z.array(z.int().min(0).max(999)).max(1000),
  }),
  [...Object.keys(unset), 'manualQualityScores', 'allocatedBuckets'],
);

export const storedHoldout = holdoutResponse.extend({
  overrides: unitOverridesResponse,
  phaseTime: time.nullable(),
});

export const storedTrigger = lacking(
  triggerResponse.extend({
    phases: pipelineResponse.shape.phases,
    configSnapshot: z.array(rule),
    earlierPipelineID: nullableText,
    appliedPhaseID: nullableText,
    currentPhaseEndTime: time,
    dueTime: time.nullable(),
    remainingMs: z.int().nullable(),
  }),
  ['earlierPipelineID'],
);
