import * as z from 'zod';
import { report } from '../../base/report.ts';

export const [defaultAlpha, defaultPower] = [0.05, 0.8];

const share = z.number().gt(0).lt(1);
export const maxEffect = 1e6;

const isNotZero = (given: number) => given !== 0;

export const powerBody = z
  .object({
    mean: z.number().min(-1e300).max(1e300).refine(isNotZero, 'must not be 0'),
    variance: z.number().gt(0).max(1e300),
    proportion: share.meta({
      description: 'Instead of mean and variance: the share of units with 1.',
    }),
    baselineExperimentID: z.string().min(1).meta({
      description: 'Instead: an experiment whose control group is the baseline.',
    }),
    metricID: z.string().min(1).meta({ description: 'The metric of that experiment.' }),
    groups: z.int().min(2).max(100).meta({ description: 'With the control group; 2 by default.' }),
    controlShare: z.number().min(0.0001).max(0.9999).meta({
      description: 'The share of units in the control group; equal groups by default.',
    }),
    alpha: z.number().min(1e-12).lt(1).meta({ description: '0.05 by default; below power.' }),
    power: share.meta({ description: '0.8 by default.' }),
    sequential: z.boolean(),
    bonferroni: z.boolean().meta({ description: 'Whether alpha is divided by the test groups.' }),
    relativeEffect: z
      .number()
      .min(-maxEffect)
      .max(maxEffect)
      .refine(isNotZero, 'must not be 0')
      .meta({ description: 'As a share of the mean: 0.1 is 10%.' }),
    unitsPerDay: z.number().min(0.001).max(1e12),
    days: z.number().gt(0).max(1e12),
  })
  .partial()
  .superRefine((given, context) => {
    const { mean, variance, proportion, baselineExperimentID, metricID } = given;
    const named = [mean ?? variance, proportion, baselineExperimentID ?? metricID];
    const baselines = named.filter((one) => one !== undefined).length;
    if (baselines !== 1)
      report(context, 'must be given, or proportion, or baselineExperimentID: one of them', 'mean');
    else if (mean !== undefined && variance === undefined)
      report(context, 'is required with mean', 'variance');
    else if (variance !== undefined && mean === undefined)
      report(context, 'is required with variance', 'mean');
    else if (baselineExperimentID !== undefined && metricID === undefined)
      report(context, 'is required with baselineExperimentID', 'metricID');
    else if (metricID !== undefined && baselineExperimentID === undefined)
      report(context, 'is required with metricID', 'baselineExperimentID');
    if (given.relativeEffect === undefined && given.unitsPerDay === undefined)
      report(context, 'is required without unitsPerDay', 'relativeEffect');
    if (given.days !== undefined && given.unitsPerDay === undefined)
      report(context, 'is required with days', 'unitsPerDay');
  })
  .superRefine(({ alpha = defaultAlpha, power }, context) => {
    if (power !== undefined && power <= alpha)
      report(context, `must be above alpha, ${alpha}`, 'power');
    else if (power === undefined && alpha >= defaultPower)
      report(context, `must be below the power, ${defaultPower}`, 'alpha');
  })
  .meta({
    id: 'PowerAnalysis',
    examples: [{ proportion: 0.1, relativeEffect: 0.1, unitsPerDay: 1000 }],
  });

export type PowerBody = z.output<typeof powerBody>;

const units = z.object({ test: z.number(), control: z.number(), total: z.number() });

export const baseline = z.object({
  mean: z.number(),
  variance: z.number(),
  isProportion: z.boolean(),
});

export const powerResponse = z
  .object({
    baseline,
    alpha: z.number().meta({ description: 'The significance level of each comparison.' }),
    units: units.nullable().meta({
      description: 'The units of a test group and of the control group; null without an effect.',
    }),
    days: z.number().nullable().meta({ description: 'Null without effect and units a day.' }),
    minimumDetectableEffects: z
      .array(
        z.object({
          days: z.number(),
          units: units,
          relativeEffect: z.number().nullable(),
          reason: z.enum(['too_few_units', 'baseline_near_zero', 'zero_variance']).nullable().meta({
            description: 'Why no effect that the baseline can have is found; null if one is.',
          }),
        }),
      )
      .meta({ description: 'For 1 to 8 weeks, or the given days; empty without unitsPerDay.' }),
    warnings: z.array(z.string()),
  })
  .meta({
    id: 'Power',
    examples: [
      {
        baseline: { mean: 0.1, variance: 0.09, isProportion: true },
        alpha: 0.05,
        units: { test: 14_749, control: 14_749, total: 29_498 },
        days: 30,
        minimumDetectableEffects: [],
        warnings: [],
      },
    ],
  });
