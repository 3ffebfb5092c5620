import * as z from 'zod';
import { jsonKey, link, nameSet, nullableName, time, word } from '../../../base/fields.ts';
import { limits } from '../../../base/limits.ts';
import { day } from '../../../base/time_fields.ts';
import { salt } from '../../../flags/rules/rules.ts';
import {
  analyticsFields,
  correctionFields,
  covariateFields,
  identityFields,
  orNull,
  plainFields,
  reloadFields,
} from '../../starts/settings_schema.ts';
import { planDefaults, planSettings } from './plan.ts';

export const aboveOne = z.int().gt(1);

export const externalEvent = z
  .object({ name: word, timestamp: time })
  .meta({ id: 'ExternalEvent' });

export const preComputedUserDimension = z
  .object({ propertySource: z.string().optional(), name: jsonKey.min(1) })
  .meta({ id: 'PreComputedUserDimension' });

export const titledLink = z
  .object({ url: link, title: z.string().optional() })
  .meta({ id: 'TitledLink' });

const isTimeText = (text: string) =>
  day.safeParse(text.slice(0, 10)).success && !Number.isNaN(Date.parse(text));

export const plainSettings = {
  identifierMappingMode: plainFields.identifierMappingMode,
  targetExposures: aboveOne,
  defaultRollupWindow: plainFields.defaultRollupWindow,
  defaultChanceToBeatThreshold: plainFields.defaultChanceToBeatThreshold,
  assignmentSourceName: z.string(),
  assignmentSourceExperimentName: z.string(),
  cohortedAnalysisDuration: aboveOne,
  fixedAnalysisDuration: aboveOne,
  scheduledReloadType: plainFields.scheduledReloadType,
  analysisEndTime: z.string().refine(isTimeText, 'must be a time, such as 2026-12-31T00:00:00Z'),
  defaultSPRTPowerParam: plainFields.defaultSPRTPowerParam,
  stratifiedSampling: plainFields.stratifiedSampling,
};

const nullFor = <Shape extends object>(shape: Shape): Record<keyof Shape, null> =>
  Object.assign({}, ...Object.keys(shape).map((property) => ({ [property]: null })));

const nullableSettings = {
  ...orNull(plainSettings),
  ...identityFields,
  isAnalysisOnly: z.boolean().nullable(),
  team: nullableName,
  allocationDuration: aboveOne.nullable(),
  ...reloadFields,
  salt: salt.nullable(),
};

const settingsWithDefault = {
  externalEvents: z.array(externalEvent).max(limits.entries),
  userBuckets: z.array(z.number().min(0).lt(1000)).max(1000),
  ...correctionFields,
  cohortedMetricsMatureAfterEnd: z.boolean(),
  cohortWaitUntilEndToInclude: z.boolean(),
  ...analyticsFields,
  isSidecar: z.boolean(),
  preComputedUserDimensions: z.array(preComputedUserDimension).max(limits.entries),
  ...covariateFields,
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
