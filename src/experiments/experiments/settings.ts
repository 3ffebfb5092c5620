import * as z from 'zod';
import {
  jsonKey,
  link,
  nameSet,
  nullableName,
  nullableText,
  strings,
  time,
  word,
} from '../../base/fields.ts';
import { limits } from '../../base/limits.ts';
import { day } from '../../base/time_fields.ts';
import { criterionCondition } from '../../data/metrics/criteria.ts';
import { metricName, metricReferences } from '../../data/metrics/metric_names.ts';
import { salt } from '../../flags/rules/rules.ts';
import { planDefaults, planSettings } from './plan_schema.ts';

export const aboveOne = z.int().gt(1);

export const bayesianPrior = z
  .object({ metric: metricName, priorMean: z.number(), priorStdDev: z.number().gt(0) })
  .meta({ id: 'BayesianPrior' });

export const stratifiedSampling = z
  .object({
    status: z.enum(['pending', 'success', 'error']),
    metric: metricName.optional(),
    entityPropertySource: z.string().optional(),
    csv: z.string().optional(),
  })
  .meta({ id: 'StratifiedSampling' });

export const externalEvent = z
  .object({ name: word, timestamp: time })
  .meta({ id: 'ExternalEvent' });

const assignmentSourceFilter = z
  .object({
    column: jsonKey.optional(),
    condition: criterionCondition,
    values: strings.max(limits.targets).optional(),
  })
  .meta({ id: 'AssignmentSourceFilter' });

export const preComputedUserDimension = z
  .object({ propertySource: z.string().optional(), name: jsonKey.min(1) })
  .meta({ id: 'PreComputedUserDimension' });

export const titledLink = z
  .object({ url: link, title: z.string().optional() })
  .meta({ id: 'TitledLink' });

const isTimeText = (text: string) =>
  day.safeParse(text.slice(0, 10)).success && !Number.isNaN(Date.parse(text));

export const plainSettings = {
  identifierMappingMode: z.enum(['strictOneToOne', 'firstTouchOneToMany', 'lastTouchOneToMany']),
  targetExposures: aboveOne,
  defaultRollupWindow: z
    .int()
    .min(-1)
    .refine((days) => days !== 0, 'must be -1 or at least 1'),
  defaultChanceToBeatThreshold: z.number(),
  assignmentSourceName: z.string(),
  assignmentSourceExperimentName: z.string(),
  cohortedAnalysisDuration: aboveOne,
  fixedAnalysisDuration: aboveOne,
  scheduledReloadType: z.enum(['full', 'incremental']),
  analysisEndTime: z.string().refine(isTimeText, 'must be a time, such as 2026-12-31T00:00:00Z'),
  defaultSPRTPowerParam: z.number(),
  stratifiedSampling,
};

type Nullable<Shape extends Record<string, z.ZodType>> = {
  [Property in keyof Shape]: z.ZodNullable<Shape[Property]>;
};

function nullableShape<Shape extends Record<string, z.ZodType>>(shape: Shape): Nullable<Shape> {
  const each = Object.entries(shape).map(([property, schema]) => ({
    [property]: schema.nullable(),
  }));
  return Object.assign({}, ...each);
}

const nullFor = <Shape extends object>(shape: Shape): Record<keyof Shape, null> =>
  Object.assign({}, ...Object.keys(shape).map((property) => ({ [property]: null })));

const nullableSettings = {
  ...nullableShape(plainSettings),
  secondaryIDType: nullableName,
  identityResolutionSource: nullableText,
  isAnalysisOnly: z.boolean().nullable(),
  team: nullableName,
  allocationDuration: aboveOne.nullable(),
  scheduledReloadHour: z.int().min(0).max(23).nullable(),
  scheduledReloadDays: z.array(z.int().min(0).max(6)).max(7).nullable(),
  salt: salt.nullable(),
};

const settingsWithDefault = {
  externalEvents: z.array(externalEvent).max(limits.entries),
  userBuckets: z.array(z.number().min(0).lt(1000)).max(1000),
  otherMetrics: metricReferences,
  sequentialTesting: z.boolean(),
  bonferroniCorrectionPerMetric: z.boolean(),
  benjaminiHochbergPerVariant: z.boolean(),
  benjaminiHochbergPerMetric: z.boolean(),
  benjaminiPrimaryMetricsOnly: z.boolean(),
  bayesianPriors: z.array(bayesianPrior).max(limits.metrics),
  cohortedMetricsMatureAfterEnd: z.boolean(),
  cohortWaitUntilEndToInclude: z.boolean(),
  turboMode: z.boolean(),
  assignmentSourceFilters: z.array(assignmentSourceFilter).max(limits.entries),
  analyticsType: z.enum(['frequentist', 'bayesian', 'sprt']),
  isSidecar: z.boolean(),
  preComputedUserDimensions: z.array(preComputedUserDimension).max(limits.entries),
  cureCovariates: z.array(metricName).max(limits.metrics),
  enabledNonProdEnvironments: nameSet(limits.entries),
  links: z.array(titledLink).max(limits.entries),
  ...planSettings,
};

export const settings = { ...nullableSettings, ...settingsWithDefault };

type ExperimentSettings = z.infer<z.ZodObject<typeof settings>>;

export const settingDefaults = {
  ...nullFor(nullableSettings),
  externalEvents: [],
  userBuckets: [],
  otherMetrics: [],
  sequentialTesting: false,
  bonferroniCorrectionPerMetric: false,
  benjaminiHochbergPerVariant: false,
  benjaminiHochbergPerMetric: false,
  benjaminiPrimaryMetricsOnly: false,
  bayesianPriors: [],
  cohortedMetricsMatureAfterEnd: false,
  cohortWaitUntilEndToInclude: false,
  turboMode: false,
  assignmentSourceFilters: [],
  analyticsType: 'frequentist' as const,
  isSidecar: false,
  preComputedUserDimensions: [],
  cureCovariates: [],
  enabledNonProdEnvironments: [],
  links: [],
  ...planDefaults,
  restartedFrom: null,
} satisfies ExperimentSettings & { restartedFrom: string | null };
