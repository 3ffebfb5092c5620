import * as z from 'zod';
import {
  creatorInput,
  description,
  flag,
  idTypeInput,
  name,
  nameSet,
  nullableName,
  nullableText,
  repeatable,
  stamps,
  strings,
  tags,
  targetAppsInput,
  time,
  word,
  wordFilter,
} from '../../base/fields.ts';
import { id } from '../../base/ids.ts';
import { limits } from '../../base/limits.ts';
import { metricReferences } from '../../data/metrics/metric_names.ts';
import { withoutNoise } from '../../engine/evaluation/shares.ts';
import { listQuery } from '../../platform/operations/query.ts';
import { healthStatus } from '../starts/health.ts';
import { confidenceFields, measuredFields } from '../starts/settings_schema.ts';
import { example, healthChecksExample } from './schema/examples.ts';
import { groupsInput } from './schema/groups.ts';
import { experimentStatus } from './schema/lifecycle.ts';
import { overridesResponse } from './schema/overrides.ts';
import { qualityScore, qualityScoresInput, storedScore } from './schema/quality.ts';
import { rulesText } from './schema/rules_text.ts';
import { aboveOne, plainSettings, settings } from './schema/settings.ts';

export const experimentTypes = [
  'BASE',
  'GEO',
  'SWITCHBACK',
  'PROMPT',
  'SIDECAR',
  'GRID_SEARCH',
] as const;

const experimentType = z.enum(experimentTypes).meta({ id: 'ExperimentType' });

const healthCheck = z.object({
  name: z.string(),
  status: healthStatus,
  description: z.string(),
  p: z.number().optional(),
  groups: z
    .array(z.object({ groupID: z.string(), units: z.int(), expectedShare: z.number() }))
    .optional(),
});

export const experimentResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    idType: z.string(),
    targetApps: strings,
    holdoutIDs: strings,
    tags: strings,
    status: experimentStatus,
    experimentType,
    launchedGroupID: nullableText,
    startTime: time.nullable(),
    endTime: time.nullable(),
    decisionTime: time.nullable(),
    layerID: nullableText,
    hypothesis: z.string(),
    ...measuredFields,
    duration: z.int(),
    targetingGateID: z.string(),
    ...confidenceFields,
    decisionReason: nullableText,
    healthChecks: z.array(healthCheck),
    healthCheckStatus: healthStatus,
    isStale: z.boolean(),
    inlineTargetingRulesJSON: z.string(),
    owner: z.object({ ownerType: z.string(), ownerName: z.string() }),
    ...stamps,
    ...settings,
    controlGroupID: z.string(),
    teamID: nullableText,
    manualQualityScores: z.array(qualityScore),
    scheduledStartTime: time.nullable(),
    restartedFrom: nullableText,
  })
  .meta({ id: 'Experiment', examples: [{ ...example, healthChecks: healthChecksExample }] });

const { name: _name, creatorID: _creatorID, ...singleExample } = example;

/** The contract omits three fields when one experiment is read (conventions, 6). */
export const singleExperiment = experimentResponse
  .omit({ name: true, creatorID: true, healthChecks: true })
  .meta({ id: 'SingleExperiment', examples: [singleExample] });

export const storedExperiment = experimentResponse
  .omit({ healthChecks: true, healthCheckStatus: true, isStale: true })
  .extend({
    ...z.object(settings).partial().shape,
    restartedFrom: experimentResponse.shape.restartedFrom.optional(),
    inlineTargetingRulesJSON: rulesText,
    manualQualityScores: z.array(storedScore).optional(),
    overrides: overridesResponse,
    archivedFrom: experimentStatus.nullable(),
    assignmentStopTime: time.nullable().optional(),
    allocatedBuckets: z.array(z.int().min(0).max(999)).max(1000).optional(),
  });

export type Experiment = z.infer<typeof storedExperiment>;

const nullIfEmpty = (layerID: string | null) => layerID || null;

export const experimentPatch = z
  .object({
    ...settings,
    name,
    description,
    idType: idTypeInput,
    hypothesis: z.string(),
    experimentType,
    groups: groupsInput,
    allocation: z.number().overwrite(withoutNoise).min(0).max(100),
    primaryMetricTags: nameSet(limits.entries),
    secondaryMetricTags: nameSet(limits.entries),
    primaryMetrics: metricReferences,
    secondaryMetrics: metricReferences,
    targetApps: targetAppsInput,
    tags,
    duration: aboveOne,
    targetingGateID: nullableText,
    inlineTargetingRulesJSON: rulesText,
    bonferroniCorrection: confidenceFields.bonferroniCorrection,
    defaultConfidenceInterval: confidenceFields.defaultConfidenceInterval,
    status: experimentStatus,
    launchedGroupID: nullableText,
    ...creatorInput,
    decisionReason: nullableText,
    layerID: nullableText.transform(nullIfEmpty),
    controlGroupID: z.string(),
    teamID: nullableName,
    manualQualityScores: qualityScoresInput,
  })
  .partial()
  .meta({ id: 'ExperimentPatch', examples: [{ hypothesis: 'A green button is seen sooner.' }] });

export const experimentUpdate = experimentPatch.meta({
  id: 'ExperimentUpdate',
  examples: [{ hypothesis: 'A green button is seen sooner.', allocation: 50 }],
});

const nonNullable = z
  .object({
    ...plainSettings,
    id,
    idType: word,
    decisionReason: z.string(),
    layerID: z.string().transform(nullIfEmpty),
  })
  .partial();

export const experimentCreate = experimentPatch
  .required({ name: true })
  .extend(nonNullable.shape)
  .meta({
    id: 'ExperimentCreate',
    examples: [
      {
        name: 'Checkout button',
        hypothesis: 'A green button is seen sooner.',
        primaryMetrics: [{ name: 'purchases', type: 'event_count_custom' }],
        groups: [
          { name: 'Control', size: 50, parameterValues: { green: false } },
          { name: 'Test', size: 50, parameterValues: { green: true } },
        ],
      },
    ],
  });

export const experimentList = listQuery.extend({
  layerID: z.string().optional(),
  idType: wordFilter,
  teamID: z.string().optional(),
  status: repeatable(experimentStatus),
  experimentType: repeatable(experimentType),
  stale: flag,
  includeArchived: flag,
});
