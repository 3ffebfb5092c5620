import * as z from 'zod';
import { distinct } from '../../base/distinct.ts';
import {
  description,
  flag,
  idTypeInput,
  name,
  nameInput,
  stamps,
  stampsExample,
  strings,
  tags,
  targetAppsInput,
  textInput,
  time,
} from '../../base/fields.ts';
import { id } from '../../base/ids.ts';
import { limits } from '../../base/limits.ts';
import { metricReference, metricReferences } from '../../data/metrics/metric_names.ts';
import { isTooSmall, withoutNoise } from '../../engine/evaluation/shares.ts';
import { unitOverridesResponse } from '../../flags/rules/unit_overrides.ts';
import { listQuery } from '../../platform/operations/query.ts';

const memberIDs = strings.max(limits.members).transform(distinct);

const update = {
  isEnabled: true,
  description: 'Never sees anything new.',
  passPercentage: 2,
  gateIDs: [],
  experimentIDs: [],
  layerIDs: [],
  isGlobal: false,
  targetingGateID: '',
};

const example = { name: 'Long-term holdout', ...update, tags: ['quarterly'] };

export const holdoutResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    idType: z.string(),
    targetApps: strings,
    tags: strings,
    team: z.string(),
    isEnabled: z.boolean(),
    isGlobal: z.boolean(),
    passPercentage: z.number(),
    gateIDs: strings,
    experimentIDs: strings,
    layerIDs: strings,
    dynamicConfigIDs: strings,
    promptIDs: strings,
    targetingGateID: z.string(),
    monitoringMetrics: z.array(metricReference),
    ...stamps,
  })
  .meta({
    id: 'Holdout',
    examples: [
      {
        id: 'long-term_holdout',
        ...example,
        idType: 'userID',
        targetApps: [],
        team: '',
        dynamicConfigIDs: [],
        promptIDs: [],
        monitoringMetrics: [],
        ...stampsExample,
      },
    ],
  });

export const storedHoldout = holdoutResponse.extend({
  overrides: unitOverridesResponse,
  phaseTime: time.nullable(),
});

export type Holdout = z.infer<typeof storedHoldout>;

const required = z.object({
  isEnabled: z.boolean(),
  description,
  passPercentage: z
    .number()
    .overwrite(withoutNoise)
    .min(0)
    .max(10)
    .refine((share) => !isTooSmall(share), 'must be 0 or at least 0.01'),
  gateIDs: memberIDs,
  experimentIDs: memberIDs,
  layerIDs: memberIDs,
  isGlobal: z.boolean(),
  targetingGateID: textInput,
});

const optional = z
  .object({
    monitoringMetrics: metricReferences,
    name,
    idType: idTypeInput,
    targetApps: targetAppsInput,
    tags,
    team: nameInput,
    dynamicConfigIDs: memberIDs,
    promptIDs: memberIDs,
  })
  .partial();

export const holdoutUpdate = required
  .extend(optional.shape)
  .meta({ id: 'HoldoutUpdate', examples: [update] });

export const holdoutPatch = holdoutUpdate
  .partial()
  .meta({ id: 'HoldoutPatch', examples: [{ passPercentage: 5 }] });

export const holdoutCreate = holdoutPatch
  .required({ name: true })
  .extend({ id: id.optional() })
  .meta({ id: 'HoldoutCreate', examples: [example] });

export const holdoutList = listQuery.extend({ isGlobal: flag });
