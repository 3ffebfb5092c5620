import * as z from 'zod';
import {
  distinctNames,
  idTypeInput,
  name,
  nullableText,
  partName,
  stamps,
  stampsExample,
  strings,
  tags,
  targetAppsInput,
  time,
  word,
} from '../../base/fields.ts';
import { id } from '../../base/ids.ts';
import { jsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { OwnRuleID } from '../../base/own_rule_ids.ts';
import { restOf, totalHundred, withoutNoise } from '../../engine/evaluation/shares.ts';
import { startTimeInput } from '../experiments/schema/lifecycle.ts';
import { settings } from './settings.ts';

export const autotuneStatuses = ['setup', 'active', 'decision_made'] as const;

const autotuneStatus = z.enum(autotuneStatuses);
export type AutotuneStatus = z.infer<typeof autotuneStatus>;

export const variant = z
  .object({ name: partName, json: jsonObject, size: z.number().overwrite(withoutNoise).min(0) })
  .meta({ id: 'AutotuneVariant' });

/** Evaluation returns this name before the start, so no variant may have it. */
const preStartName: OwnRuleID = 'prestart';

export const variantInput = variant
  .partial({ json: true, size: true })
  .extend({
    name: partName.refine(
      (text) => text !== preStartName,
      `must not be ${preStartName}, which evaluation returns before the start`,
    ),
  })
  .meta({ id: 'AutotuneVariantInput' });

function sumTo100(variants: { size?: number | undefined }[]): boolean {
  const given = variants.flatMap(({ size }) => size ?? []);
  return totalHundred(given) || (given.length < variants.length && restOf(given) >= 0);
}

const variantsInput = z
  .array(variantInput)
  .max(limits.variants)
  .min(2)
  .superRefine(distinctNames('name'))
  .refine(sumTo100, 'must have sizes that sum to 100');

const example = {
  id: 'homepage_banner',
  name: 'Homepage banner',
  description: 'Finds the banner that sells the limits.',
  idType: 'userID',
  isStarted: false,
  status: 'setup',
  variants: ['control', 'test'].map((variantName) => ({
    name: variantName,
    json: { banner: variantName },
    size: 50,
  })),
  successEvent: 'purchase',
  successEventValue: '',
  explorationWindow: '24hr',
  attributionWindow: '1hr',
  winnerThreshold: '95%',
  metadataField: null,
  higherIsBetter: true,
  isContextual: false,
  metricSourceID: '',
  linkedExperimentName: '',
  goalRichText: '',
  valueColumn: '',
  featureList: [],
  tags: ['homepage'],
  targetApps: [],
  startTime: null,
  decidedVariant: null,
  decisionReason: null,
  decisionTime: null,
};

export const autotuneResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    idType: z.string(),
    isStarted: z.boolean(),
    status: autotuneStatus,
    variants: z.array(variant),
    successEvent: z.string(),
    ...settings,
    tags: strings,
    targetApps: strings,
    startTime: time.nullable(),
    decidedVariant: nullableText,
    decisionReason: nullableText,
    decisionTime: time.nullable(),
    ...stamps,
  })
  .meta({ id: 'Autotune', examples: [{ ...example, ...stampsExample }] });

export const storedAutotune = autotuneResponse.omit({ isStarted: true }).extend({
  /** The learned shares by which units are drawn, in percent and in the order of the variants. */
  weights: z.array(z.number().min(0).max(100)).max(limits.variants).optional(),
});

export type Autotune = z.infer<typeof storedAutotune>;

export const autotunePatch = z
  .object({
    ...settings,
    name,
    idType: idTypeInput,
    variants: variantsInput,
    successEvent: word,
    tags,
    targetApps: targetAppsInput,
  })
  .partial()
  .meta({ id: 'AutotunePatch', examples: [{ winnerThreshold: '99%', tags: ['homepage'] }] });

const { variants, successEvent, explorationWindow, attributionWindow, winnerThreshold } = example;
const requiredSettings = {
  variants,
  successEvent,
  explorationWindow,
  attributionWindow,
  winnerThreshold,
};

export const autotuneUpdate = autotunePatch
  .required({
    variants: true,
    successEvent: true,
    explorationWindow: true,
    attributionWindow: true,
    winnerThreshold: true,
  })
  .meta({ id: 'AutotuneUpdate', examples: [requiredSettings] });

export const autotuneCreate = autotuneUpdate
  .required({ name: true })
  .extend({ id: id.optional() })
  .meta({ id: 'AutotuneCreate', examples: [{ name: 'Homepage banner', ...requiredSettings }] });

export const decisionBody = z.object({ id: z.string(), decisionReason: z.string() }).meta({
  id: 'AutotuneDecision',
  examples: [{ id: 'test', decisionReason: 'Sold 3 % more.' }],
});

export const startBody = z
  .object({ startTime: startTimeInput.optional() })
  .meta({ id: 'AutotuneStart', examples: [{ startTime: '2026-01-01T09:00:00Z' }] });
