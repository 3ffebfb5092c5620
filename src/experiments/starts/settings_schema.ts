import * as z from 'zod';
import {
  jsonKey,
  nullableName,
  nullableText,
  show,
  singleLine,
  strings,
} from '../../base/fields.ts';
import { jsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { criterionCondition } from '../../data/metrics/criteria.ts';
import { metricName, metricReference, metricReferences } from '../../data/metrics/metric_names.ts';
import { withoutNoise } from '../../engine/evaluation/shares.ts';

export const group = z
  .object({
    name: singleLine,
    id: z.string(),
    size: z.number().overwrite(withoutNoise).min(0).max(100),
    parameterValues: jsonObject,
    description: z.string(),
    disabled: z.boolean(),
  })
  .meta({ id: 'Group' });

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

const assignmentSourceFilter = z
  .object({
    column: jsonKey.optional(),
    condition: criterionCondition,
    values: strings.max(limits.targets).optional(),
  })
  .meta({ id: 'AssignmentSourceFilter' });

export const confidences = ['80', '90', '95', '98', '99'] as const;

const aboveZeroOrAll = z
  .int()
  .min(-1)
  .refine((days) => days !== 0, 'must be -1 or at least 1');

/** The fields that every experiment has. */
export const measuredFields = {
  primaryMetrics: z.array(metricReference),
  secondaryMetrics: z.array(metricReference),
  primaryMetricTags: strings,
  secondaryMetricTags: strings,
  groups: z.array(group),
  allocation: z.number(),
};

export const confidenceFields = {
  defaultConfidenceInterval: z.enum(confidences),
  bonferroniCorrection: z.boolean(),
};

/** The settings that are null by default, which a creation does not set to null. */
export const plainFields = {
  identifierMappingMode: z.enum(['strictOneToOne', 'firstTouchOneToMany', 'lastTouchOneToMany']),
  defaultRollupWindow: aboveZeroOrAll,
  defaultChanceToBeatThreshold: z.number(),
  scheduledReloadType: z.enum(['full', 'incremental']),
  defaultSPRTPowerParam: z.number(),
  stratifiedSampling,
};

export const identityFields = {
  secondaryIDType: nullableName,
  identityResolutionSource: nullableText,
};

export const reloadFields = {
  scheduledReloadHour: z.int().min(0).max(23).nullable(),
  scheduledReloadDays: z.array(z.int().min(0).max(6)).max(7).nullable(),
};

export const correctionFields = {
  otherMetrics: metricReferences,
  sequentialTesting: z.boolean(),
  bonferroniCorrectionPerMetric: z.boolean(),
  benjaminiHochbergPerVariant: z.boolean(),
  benjaminiHochbergPerMetric: z.boolean(),
  benjaminiPrimaryMetricsOnly: z.boolean(),
  bayesianPriors: z.array(bayesianPrior).max(limits.metrics),
};

export const analyticsFields = {
  turboMode: z.boolean(),
  assignmentSourceFilters: z.array(assignmentSourceFilter).max(limits.entries),
  analyticsType: z.enum(['frequentist', 'bayesian', 'sprt']),
};

export const covariateFields = { cureCovariates: z.array(metricName).max(limits.metrics) };

type Nullable<Shape extends Record<string, z.ZodType>> = {
  [Property in keyof Shape]: z.ZodNullable<Shape[Property]>;
};

/** Returns a shape whose fields may be null. */
export function orNull<Shape extends Record<string, z.ZodType>>(shape: Shape): Nullable<Shape> {
  const each = Object.entries(shape).map(([property, schema]) => ({
    [property]: schema.nullable(),
  }));
  return Object.assign({}, ...each);
}

const resultSettings = z
  .object({
    ...orNull(plainFields),
    ...identityFields,
    ...reloadFields,
    ...correctionFields,
    ...analyticsFields,
    ...covariateFields,
  })
  .partial()
  .extend({ ...measuredFields, ...confidenceFields, controlGroupID: z.string() });

/** The settings of an experiment on which its results depend. */
export type ResultSettings = z.infer<typeof resultSettings>;

/** Returns the settings with which results are read; absent ones are undefined, so that they hide others. */
export const resultSettingsOf = (from: ResultSettings): ResultSettings =>
  show(resultSettings, from);
