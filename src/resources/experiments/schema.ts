import * as z from 'zod';
import { listQuery } from '../../operations/query.ts';
import { archivedToo } from '../../operations/status.ts';
import { criterionCondition } from '../../shared/criteria.ts';
import {
  creatorInput,
  description,
  distinctNames,
  flag,
  id,
  idTypeInput,
  metricReference,
  name,
  nullableText,
  repeatable,
  stamps,
  stampsExample,
  strings,
  tags,
  targetAppsInput,
  time,
} from '../../shared/fields.ts';
import { rulesInput } from '../../shared/rules.ts';

export const experimentStatuses = [
  'active',
  'setup',
  'decision_made',
  'abandoned',
  'archived',
  'experiment_stopped',
  'assignment_stopped',
] as const;

const experimentStatus = z.enum(experimentStatuses);
export type ExperimentStatus = z.infer<typeof experimentStatus>;

export const experimentTypes = [
  'BASE',
  'GEO',
  'SWITCHBACK',
  'PROMPT',
  'SIDECAR',
  'GRID_SEARCH',
] as const;

const experimentType = z.enum(experimentTypes);

const group = z
  .object({
    name: z.string().trim().min(1),
    id: z.string(),
    size: z.number().min(0).max(100),
    parameterValues: z.record(z.string(), z.json()),
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
  .superRefine(distinctNames('name'))
  .refine((groups) => {
    const ids = groups.flatMap((given) => given.id ?? []);
    return new Set(ids).size === ids.length;
  }, 'must have a different id each')
  .refine(
    (groups) => Math.abs(groups.reduce((sum, { size }) => sum + size, 0) - 100) <= 0.01,
    'must have sizes that sum to 100',
  );

const qualityScore = z.object({
  criteriaName: z.string().min(1),
  status: z.enum(['PASSED', 'FAILED', 'WARNING']),
  criteriaDescription: z.string(),
  score: z.number().min(0).max(100),
  weight: z.number().min(0).max(100),
});
export type QualityScore = z.infer<typeof qualityScore>;

const link = z.object({ url: z.url(), title: z.string().optional() });

const bayesianPrior = z.object({
  metric: z.object({ name: z.string(), type: z.string() }),
  priorMean: z.number(),
  priorStdDev: z.number().gt(0),
});

const stratifiedSampling = z.object({
  status: z.enum(['pending', 'success', 'error']),
  metric: z.object({ name: z.string(), type: z.string() }).optional(),
  entityPropertySource: z.string().optional(),
  csv: z.string().optional(),
});

/** A text that holds rules as JSON. */
const rulesText = z.string().superRefine((text, context) => {
  const parsed = z.safeParse(rulesJSON, text);
  if (!parsed.success)
    context.addIssue({ code: 'custom', message: 'must be JSON text of an array of rules' });
});

/** Rules out of their JSON text. */
export const rulesJSON = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON text' });
      return z.NEVER;
    }
  })
  .pipe(rulesInput);

const aboveOne = z.int().gt(1);

export const confidences = ['80', '90', '95', '98', '99'] as const;
const confidence = z.enum(confidences);

/** What a body may say that no response shows: settings, readable in the experiment's versions. */
const settings = {
  secondaryIDType: nullableText,
  identifierMappingMode: z.enum(['strictOneToOne', 'firstTouchOneToMany', 'lastTouchOneToMany']),
  identityResolutionSource: nullableText,
  externalEvents: z.array(z.object({ name: z.string().min(1), timestamp: time })),
  userBuckets: z.array(z.number().min(0).lt(1000)),
  otherMetrics: z.array(metricReference),
  targetExposures: aboveOne,
  sequentialTesting: z.boolean(),
  bonferroniCorrectionPerMetric: z.boolean(),
  benjaminiHochbergPerVariant: z.boolean(),
  benjaminiHochbergPerMetric: z.boolean(),
  benjaminiPrimaryMetricsOnly: z.boolean(),
  defaultRollupWindow: z
    .int()
    .refine((days) => days === -1 || days >= 1, 'must be -1 or at least 1'),
  defaultChanceToBeatThreshold: z.number(),
  bayesianPriors: z.array(bayesianPrior),
  manualQualityScores: z.array(qualityScore).max(10),
  assignmentSourceName: z.string(),
  assignmentSourceExperimentName: z.string(),
  isAnalysisOnly: z.boolean().nullable(),
  team: nullableText,
  teamID: nullableText,
  allocationDuration: aboveOne.nullable(),
  cohortedAnalysisDuration: aboveOne,
  cohortedMetricsMatureAfterEnd: z.boolean(),
  cohortWaitUntilEndToInclude: z.boolean(),
  fixedAnalysisDuration: aboveOne,
  scheduledReloadHour: z.int().min(0).max(23).nullable(),
  scheduledReloadType: z.enum(['full', 'incremental']),
  scheduledReloadDays: z.array(z.int().min(0).max(6)).nullable(),
  turboMode: z.boolean(),
  analysisEndTime: z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'must be a time'),
  assignmentSourceFilters: z.array(
    z.object({
      column: z.string().optional(),
      condition: criterionCondition,
      values: strings.optional(),
    }),
  ),
  analyticsType: z.enum(['frequentist', 'bayesian', 'sprt']),
  defaultSPRTPowerParam: z.number(),
  isSidecar: z.boolean(),
  preComputedUserDimensions: z.array(
    z.object({ propertySource: z.string().optional(), name: z.string().min(1) }),
  ),
  cureCovariates: z.array(metricReference.pick({ name: true, type: true })),
  stratifiedSampling,
  enabledNonProdEnvironments: strings,
  controlGroupID: z.string(),
  links: z.array(link),
};

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
};

const healthChecksExample = [
  {
    name: 'Exposures',
    status: 'WAITING',
    description: 'No exposures have been recorded for this experiment.',
  },
];

const healthStatus = z.enum(['PASSED', 'FAILED', 'WAITING', 'WARNING']);

/** An experiment as lists and changes answer it (contract, experiment). */
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
    overrides: z.array(
      z.object({
        type: z.enum(['gate', 'segment']),
        id: z.string().min(1),
        groupID: z.string(),
        environment: nullableText.optional(),
      }),
    ),
    userIDOverrides: z.array(
      z.object({
        groupID: z.string(),
        ids: strings,
        environment: nullableText.optional(),
        unitType: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'ExperimentOverrides', examples: [overridesExample] });

export const overridesResponse = overrides;
export const overridesRequest = overrides
  .partial()
  .meta({ id: 'ExperimentOverridesInput', examples: [overridesExample] });

const storedSettings = z.object(settings).partial();

/** An experiment as it is stored: what is computed when read is left out, what is not answered is added. */
export type Experiment = Omit<
  z.infer<typeof experimentResponse>,
  'healthChecks' | 'healthCheckStatus' | 'isStale'
> &
  Omit<z.infer<typeof storedSettings>, 'controlGroupID' | 'teamID'> & {
    controlGroupID: string;
    teamID: string | null;
    overrides: z.infer<typeof overrides>;
    /** What an archived experiment was, and will be when it comes back. */
    archivedFrom: ExperimentStatus | null;
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
    primaryMetricTags: strings,
    secondaryMetricTags: strings,
    primaryMetrics: z.array(metricReference),
    secondaryMetrics: z.array(metricReference),
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
  })
  .partial()
  .meta({ id: 'ExperimentPatch', examples: [{ hypothesis: 'A green button is seen sooner.' }] });

/** Body of POST /experiments (contract, create request). */
export const experimentCreate = experimentPatch
  .required({ name: true })
  .extend({ id: id.optional() })
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
  includeArchived: archivedToo,
});

export const restartBody = z
  .object({ name })
  .meta({ id: 'RestartAsNew', examples: [{ name: 'Checkout button, again' }] });

export const decisionBody = z
  .object({ id: z.string(), decisionReason: z.string(), removeTargeting: z.boolean().optional() })
  .meta({ id: 'MakeDecision', examples: [{ id: 'test', decisionReason: 'Sold 3 % more.' }] });

const reasonExample = { decisionReason: 'The button was broken on phones.' };

export const reasonBody = z
  .object({ decisionReason: z.string() })
  .meta({ id: 'DecisionReason', examples: [reasonExample] });

export const optionalReason = reasonBody
  .partial()
  .meta({ id: 'OptionalDecisionReason', examples: [reasonExample] });
