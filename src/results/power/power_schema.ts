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
    proportion: share,
    baselineExperimentID: z.string().min(1),
    metricID: z.string().min(1),
    groups: z.int().min(2).max(100),
    controlShare: z.number().min(0.0001).max(0.9999),
    alpha: z.number().min(1e-12).lt(1),
    power: share,
    sequential: z.boolean(),
    bonferroni: z.boolean(),
    relativeEffect: z.number().min(-maxEffect).max(maxEffect).refine(isNotZero, 'must not be 0'),
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
    alpha: z.number(),
    units: units.nullable(),
    days: z.number().nullable(),
    minimumDetectableEffects: z.array(
      z.object({
        days: z.number(),
        units: units,
        relativeEffect: z.number().nullable(),
        reason: z.enum(['too_few_units', 'baseline_near_zero', 'zero_variance']).nullable(),
      }),
    ),
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
