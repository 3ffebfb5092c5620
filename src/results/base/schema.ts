import * as z from 'zod';
import { nullableText } from '../../base/fields.ts';
import { day } from '../../base/time_fields.ts';
import { examples } from './examples.ts';

const number = z.number().nullable();

export const interval = z
  .object({ lower: z.number(), upper: z.number() })
  .meta({ id: 'Interval' })
  .nullable();

export const reasons = [
  'no_exposures',
  'no_units',
  'too_few_units',
  'zero_variance',
  'zero_denominator',
  'unstable_denominator',
  'baseline_near_zero',
  'too_few_events',
  'unit_type',
  'not_computable',
  'needs_effect',
  'not_loaded',
] as const;

export const seriesViews = ['cumulative', 'daily', 'days_since_exposure'] as const;

export const numberNames = [
  'testMean',
  'controlMean',
  'testStd',
  'controlStd',
  'testUnits',
  'controlUnits',
  'testTotal',
  'controlTotal',
  'absoluteChange',
  'confidenceIntervalDelta',
  'percentChange',
  'percentConfidenceIntervalDelta',
  'degreesOfFreedom',
  'pValue',
  'adjustedAlpha',
  'adjustedPValue',
  'reversePower',
  'sequentialTestingPValue',
  'sequentialTestingConfidenceIntervalDelta',
  'percentSequentialTestingConfidenceIntervalDelta',
  'absoluteToplineImpact',
  'absoluteToplineImpactDelta',
  'relativeToplineImpact',
  'relativeToplineImpactDelta',
  'projectedAbsoluteToplineImpact',
  'projectedAbsoluteToplineImpactDelta',
  'projectedRelativeToplineImpact',
  'projectedRelativeToplineImpactDelta',
  'winsorizationThreshold',
  'winsorizationThresholdDenominator',
  'skippedEvents',
] as const;

export const intervalNames = [
  'confidenceInterval',
  'percentConfidenceInterval',
  'sequentialTestingConfidenceInterval',
  'percentSequentialTestingConfidenceInterval',
] as const;

const each = <Name extends string, S extends z.ZodType>(
  names: readonly Name[],
  schema: S,
): Record<Name, S> => Object.assign({}, ...names.map((name) => ({ [name]: schema })));

const cuped = z.object({
  applied: z.boolean(),
  theta: number,
  varianceReduction: number,
  reason: z.enum(['no_past', 'no_gain', 'zero_variance']).nullable(),
});

const bayesian = z.object({
  chanceToBeat: z.number(),
  lower: number,
  upper: number,
  expectedLoss: z.number(),
});

const sprt = z.object({
  theta: z.number(),
  logLikelihoodRatio: z.number(),
  upper: z.number(),
  lower: z.number(),
  decision: z.enum(['alternative', 'null', 'continue']),
});

export const twoNumbers = z.object({ test: number, control: number }).meta({ id: 'TwoGroups' });

const funnel = z.object({ stepRates: z.array(twoNumbers), timeToConvert: twoNumbers.nullable() });

export const result = z
  .object({
    ds: day.optional(),
    day: z.int().min(0).optional(),
    metricID: z.string(),
    metricName: z.string(),
    directionality: z.enum(['increase', 'decrease']),
    ...each(numberNames, number),
    ...each(intervalNames, interval),
    cuped: cuped.nullable(),
    bayesian: bayesian.nullable(),
    sprt: sprt.nullable(),
    funnel: funnel.nullable(),
    significant: z.boolean(),
    significanceBasis: z.enum(['fixed', 'sequential', 'bayesian', 'sprt']),
    warnings: z.array(z.string()),
    reason: z.enum(reasons).nullable(),
    reasonDetail: nullableText,
  })
  .meta({ id: 'Result', examples: [...examples.pulse.primaryMetrics] });

export type Result = z.infer<typeof result>;
