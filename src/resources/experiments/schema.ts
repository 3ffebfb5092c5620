import * as z from 'zod';
import { listQuery } from '../../operations/query.ts';
import { atFirst, most } from '../../shared/bounds.ts';
import {
  creatorInput,
  description,
  distinctNames,
  flag,
  id,
  idTypeInput,
  metricReference,
  metricReferences,
  name,
  nullableText,
  repeatable,
  stamps,
  stampsExample,
  strings,
  tags,
  targetAppsInput,
  texts,
  time,
  word,
} from '../../shared/fields.ts';
import { isTooDeep, jsonObject } from '../../shared/json.ts';
import { rulesInput } from '../../shared/rules.ts';
import { makeWhole } from '../../shared/shares.ts';
import { aboveOne, plainSettings, settings, unset } from './settings.ts';

export const experimentStatuses = [
  'active',
  'setup',
  'decision_made',
  'abandoned',
  'archived',
  'experiment_stopped',
  'assignment_stopped',
] as const;

const experimentStatus = z.enum(experimentStatuses).meta({ id: 'ExperimentStatus' });
export type ExperimentStatus = z.infer<typeof experimentStatus>;

export const experimentTypes = [
  'BASE',
  'GEO',
  'SWITCHBACK',
  'PROMPT',
  'SIDECAR',
  'GRID_SEARCH',
] as const;

const experimentType = z.enum(experimentTypes).meta({ id: 'ExperimentType' });

const group = z
  .object({
    name: word,
    id: z.string(),
    size: z.number().min(0).max(100),
    parameterValues: jsonObject,
    description: z.string(),
    disabled: z.boolean(),
  })
  .meta({ id: 'Group' });

const groupInput = group
  .partial({ id: true, parameterValues: true, description: true, disabled: true })
  .meta({ id: 'GroupInput' });

/** The groups of a body: names and ids differ, sizes sum to 100 within 0.01. */
const groupsInput = z
  .array(groupInput)
  .min(1)
  .max(most.groups)
  .superRefine(distinctNames('name'))
  .refine((groups) => {
    const ids = groups.flatMap((given) => given.id ?? []);
    return new Set(ids).size === ids.length;
  }, 'must have a different id each')
  .refine((groups) => makeWhole(groups.map(({ size }) => size)), 'must have sizes that sum to 100');

/** The quality checks that the console itself makes (contract, manualQualityScores). */
const defaultCheck = z.enum([
  'HYPOTHESIS_LENGTH',
  'BALANCED_EXPOSURE',
  'PRIMARY_METRICS_LENGTH',
  'COMPARISON_CORRECTION',
  'GUARDRAIL_METRIC_TAGS',
  'SUFFICIENT_SAMPLE',
  'POWER_ANALYSIS',
  'SEQUENTIAL_TESTING',
]);
export type DefaultCheck = z.infer<typeof defaultCheck>;

const weight = z.number().min(0).max(100);

/** A score that somebody gave by hand. */
const manualScore = z.object({
  criteriaName: z.string().min(1),
  status: z.enum(['PASSED', 'FAILED', 'WARNING']),
  criteriaDescription: z.string(),
  score: z.number().min(0).max(100),
  weight,
});

/** What is kept of a quality score: of a default check, its weight. */
export type QualityScore =
  | z.infer<typeof manualScore>
  | { criteriaName: DefaultCheck; weight: number };

/** A quality score as it is answered; one that nothing is known of yet waits. */
const qualityScore = manualScore.extend({
  status: z.enum(['PASSED', 'FAILED', 'WARNING', 'WAITING']),
  score: z.number().min(0).max(100).nullable(),
});
export type ShownScore = z.infer<typeof qualityScore>;

/** A quality score in a body: of a default check, all but the weight is the console's own to say. */
const qualityScoreInput = qualityScore
  .partial({ status: true, criteriaDescription: true, score: true })
  .transform((given, context): QualityScore => {
    const check = defaultCheck.safeParse(given.criteriaName);
    if (check.success) return { criteriaName: check.data, weight: given.weight };
    const manual = manualScore.safeParse(given);
    if (manual.success) return manual.data;
    const message = 'is required of a score that is no default check';
    for (const { path } of manual.error.issues) context.addIssue({ code: 'custom', path, message });
    return z.NEVER;
  });

/** What is wrong with a text that holds rules as JSON. */
function faultOfRules(text: string): string | undefined {
  const { error } = rulesJSON.safeParse(text, atFirst);
  const [issue] = error?.issues ?? [];
  if (issue?.code === 'custom' && issue.path.length === 0) return issue.message;
  if (issue?.code === 'too_big' && issue.path.length === 0)
    return `must hold at most ${most.rules} rules`;
  return error && 'must be JSON text of an array of rules';
}

/** A text that holds rules as JSON. */
const rulesText = z.string().superRefine((text, context) => {
  const fault = faultOfRules(text);
  if (fault) context.addIssue({ code: 'custom', message: fault });
});

/** Rules out of their JSON text. */
export const rulesJSON = z
  .string()
  .transform((text, context) => {
    try {
      const value: unknown = JSON.parse(text);
      if (!isTooDeep(value)) return value;
      context.addIssue({
        code: 'custom',
        message: `must not nest deeper than ${most.depth} levels`,
      });
      return z.NEVER;
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON text' });
      return z.NEVER;
    }
  })
  .pipe(rulesInput);

export const confidences = ['80', '90', '95', '98', '99'] as const;
const confidence = z.enum(confidences);

const example = {
  name: 'Checkout button',
  description: 'Does a green button sell more?',
  idType: 'userID',
  targetApps: [],
  holdoutIDs: [],
  tags: ['checkout'],
  status: 'setup',
  experimentType: 'BASE',
  launchedGroupID: null,
  startTime: null,
  endTime: null,
  decisionTime: null,
  layerID: null,
  hypothesis: 'A green button is seen sooner.',
  primaryMetrics: [{ name: 'purchases', type: 'event_count_custom' }],
  secondaryMetrics: [],
  primaryMetricTags: [],
  secondaryMetricTags: [],
  groups: ['Control', 'Test'].map((group) => ({
    name: group,
    id: group.toLowerCase(),
    size: 50,
    parameterValues: { green: group === 'Test' },
    description: '',
    disabled: false,
  })),
  allocation: 100,
  duration: 14,
  targetingGateID: '',
  defaultConfidenceInterval: '95',
  bonferroniCorrection: false,
  decisionReason: null,
  healthCheckStatus: 'WAITING',
  isStale: false,
  inlineTargetingRulesJSON: '[]',
  owner: { ownerType: 'USER', ownerName: 'CONSOLE API' },
  ...stampsExample,
  id: 'checkout_button',
  ...unset,
  controlGroupID: 'control',
  teamID: null,
  scheduledStartTime: null,
  manualQualityScores: [
    {
      criteriaName: 'SEQUENTIAL_TESTING',
      status: 'FAILED',
      criteriaDescription: 'Sequential testing is off, so that early looks at the results mislead.',
      score: 0,
      weight: 100,
    },
  ],
};

const healthChecksExample = [
  {
    name: 'Exposures',
    status: 'WAITING',
    description: 'No exposures have been recorded for this experiment.',
  },
];

const healthStatus = z.enum(['PASSED', 'FAILED', 'WAITING', 'WARNING']);

/** An experiment as lists and changes answer it: the fields of the contract, and then all that can be set. */
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
    primaryMetrics: z.array(metricReference),
    secondaryMetrics: z.array(metricReference),
    primaryMetricTags: strings,
    secondaryMetricTags: strings,
    groups: z.array(group),
    allocation: z.number(),
    duration: z.int(),
    targetingGateID: z.string(),
    defaultConfidenceInterval: confidence,
    bonferroniCorrection: z.boolean(),
    decisionReason: nullableText,
    healthChecks: z.array(
      z.object({ name: z.string(), status: healthStatus, description: z.string() }),
    ),
    healthCheckStatus: healthStatus,
    isStale: z.boolean(),
    inlineTargetingRulesJSON: z.string(),
    owner: z.object({ ownerType: z.string(), ownerName: z.string() }),
    ...stamps,
    ...settings,
    controlGroupID: z.string(),
    teamID: nullableText,
    manualQualityScores: z.array(qualityScore),
    scheduledStartTime: time.nullable().meta({ description: 'When it starts by itself.' }),
    restartedFrom: nullableText.meta({ description: 'The experiment that it restarts.' }),
  })
  .meta({ id: 'Experiment', examples: [{ ...example, healthChecks: healthChecksExample }] });

const { name: _name, creatorID: _creatorID, ...singleExample } = example;

/** An experiment as it is read alone: the contract leaves three fields out (conventions, 6). */
export const singleExperiment = experimentResponse
  .omit({ name: true, creatorID: true, healthChecks: true })
  .meta({ id: 'SingleExperiment', examples: [singleExample] });

const overridesExample = {
  overrides: [{ type: 'gate', id: 'employees', groupID: 'test' }],
  userIDOverrides: [{ groupID: 'control', ids: ['u-1', 'u-2'] }],
};

const overrides = z
  .object({
    overrides: z
      .array(
        z
          .object({
            type: z.enum(['gate', 'segment']),
            id: z.string().min(1),
            groupID: z.string(),
            environment: nullableText.optional(),
          })
          .meta({ id: 'ExperimentOverride' }),
      )
      .max(most.overrides),
    userIDOverrides: z
      .array(
        z
          .object({
            groupID: z.string(),
            ids: strings.max(most.ids),
            environment: nullableText.optional(),
            unitType: z.string().min(1).optional(),
          })
          .meta({ id: 'UserIDOverride' }),
      )
      .max(most.overrides),
  })
  .meta({ id: 'ExperimentOverrides', examples: [overridesExample] });

export const overridesResponse = overrides;
export const overridesRequest = overrides
  .partial()
  .meta({ id: 'ExperimentOverridesInput', examples: [overridesExample] });

/** Body of DELETE …/overrides. */
export const overridesRemoval = overridesRequest.meta({
  id: 'ExperimentOverridesRemoval',
  description:
    'A unit type or environment that is left out is any of them; null is what holds in all environments.',
  examples: [overridesExample],
});

type Response = z.infer<typeof experimentResponse>;

/** What is computed when an experiment is read. */
type Computed = 'healthChecks' | 'healthCheckStatus' | 'isStale' | 'manualQualityScores';

/** An experiment as it is stored: a setting that nobody has given is absent. */
export type Experiment = Omit<Response, Computed | keyof typeof unset> &
  Partial<Pick<Response, keyof typeof unset>> & {
    manualQualityScores?: QualityScore[];
    overrides: z.infer<typeof overrides>;
    /** What an archived experiment was, and will be when it comes back. */
    archivedFrom: ExperimentStatus | null;
    /** The buckets of 1,000 that an active one takes units from. */
    allocatedBuckets?: number[];
  };

/** Body of PATCH /experiments/{id}. */
export const experimentPatch = z
  .object({
    ...settings,
    name,
    description,
    idType: idTypeInput,
    hypothesis: z.string(),
    experimentType,
    groups: groupsInput,
    allocation: z.number().min(0).max(100),
    primaryMetricTags: texts,
    secondaryMetricTags: texts,
    primaryMetrics: metricReferences,
    secondaryMetrics: metricReferences,
    targetApps: targetAppsInput,
    tags,
    duration: aboveOne,
    targetingGateID: nullableText,
    inlineTargetingRulesJSON: rulesText,
    bonferroniCorrection: z.boolean(),
    defaultConfidenceInterval: confidence,
    status: experimentStatus,
    launchedGroupID: nullableText,
    ...creatorInput,
    decisionReason: nullableText,
    layerID: nullableText,
    controlGroupID: z.string(),
    teamID: nullableText,
    manualQualityScores: z.array(qualityScoreInput).max(10),
  })
  .partial()
  .meta({ id: 'ExperimentPatch', examples: [{ hypothesis: 'A green button is seen sooner.' }] });

/** Body of POST /experiments/{id}: what is absent falls back to its default. */
export const experimentUpdate = experimentPatch.meta({
  id: 'ExperimentUpdate',
  examples: [{ hypothesis: 'A green button is seen sooner.', allocation: 50 }],
});

/** What a creation takes no null for (contract, create request). */
const neverNull = z
  .object({
    ...plainSettings,
    id,
    idType: z.string(),
    decisionReason: z.string(),
    layerID: z.string(),
  })
  .partial();

/** Body of POST /experiments (contract, create request). */
export const experimentCreate = experimentPatch
  .required({ name: true })
  .extend(neverNull.shape)
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

/** Query of GET /experiments (contract, operation 7). */
export const experimentList = listQuery.extend({
  layerID: z.string().optional(),
  idType: z.string().optional(),
  teamID: z.string().optional(),
  status: repeatable(experimentStatus),
  experimentType: repeatable(experimentType),
  stale: flag,
  includeArchived: flag.meta({ description: 'Archived ones too, unless this is false.' }),
});

/** Query of DELETE /experiments/{id}. */
export const experimentRemoval = z.object({
  force: flag.meta({ description: 'Whether an active experiment is deleted too.' }),
});

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

/** Body of PUT /experiments/{id}/schedule_start. */
export const scheduleBody = z
  .object({
    startTime: z
      .union([time, z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))])
      .nullable()
      .meta({
        description:
          'Epoch milliseconds, or a time such as 2026-01-01T09:00:00Z; null for no such time.',
      }),
  })
  .meta({ id: 'ScheduledStart', examples: [{ startTime: '2126-01-01T09:00:00Z' }] });

/** Body of PUT /experiments/{id}/enable_groups and /disable_groups. */
export const groupsBody = z
  .object({ groupIDs: texts.min(1) })
  .meta({ id: 'GroupIDs', examples: [{ groupIDs: ['test'] }] });

const reasonExample = { decisionReason: 'The button was broken on phones.' };

export const reasonBody = z
  .object({ decisionReason: reason })
  .meta({ id: 'DecisionReason', examples: [reasonExample] });

export const optionalReason = reasonBody
  .partial()
  .meta({ id: 'OptionalDecisionReason', examples: [reasonExample] });
