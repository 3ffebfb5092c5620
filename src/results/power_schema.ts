import * as z from 'zod';
import { report } from '../shared/report.ts';

const share = z.number().gt(0).lt(1);
const positive = z.number().gt(0).max(1e12);

export const powerBody = z
  .object({
    mean: z.number().min(-1e300).max(1e300),
    variance: z.number().min(0).max(1e300),
    proportion: share.meta({
      description: 'Instead of mean and variance: the share of units with 1.',
    }),
    baselineExperimentID: z.string().min(1).meta({
      description: 'Instead: an experiment whose control group is the baseline.',
    }),
    metricID: z.string().min(1).meta({ description: 'The metric of that experiment.' }),
    groups: z.int().min(2).max(100).meta({ description: 'With the control group; 2 by default.' }),
    controlShare: share.meta({
      description: 'The share of units in the control group, 0 to 1; equal groups by default.',
    }),
    alpha: share.meta({ description: '0.05 by default.' }),
    power: share.meta({ description: '0.8 by default.' }),
    sequential: z.boolean(),
    bonferroni: z.boolean().meta({ description: 'Whether alpha is divided by the test groups.' }),
    relativeEffect: z
      .number()
      .min(-1e6)
      .max(1e6)
      .refine((effect) => effect !== 0, 'must not be 0')
      .meta({ description: 'As a share of the mean: 0.1 is 10%.' }),
    unitsPerDay: positive,
    days: positive,
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
      .array(z.object({ days: z.number(), units: units, relativeEffect: z.number().nullable() }))
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
