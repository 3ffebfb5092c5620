import * as z from 'zod';
import { nullableText, time } from '../../base/fields.ts';
import { jsonObject } from '../../base/json.ts';

export const explainedKinds = [
  'gate',
  'dynamic_config',
  'experiment',
  'autotune',
  'layer',
  'param_store',
  'holdout',
  'segment',
] as const;

export const explainBody = z
  .object({
    user: jsonObject,
    kind: z.enum(explainedKinds),
    id: z.string(),
    asStarted: z.boolean().optional(),
    now: time.optional(),
  })
  .meta({
    id: 'EvaluateBody',
    examples: [{ user: { userID: 'u-1', custom: { plan: 'pro' } }, kind: 'gate', id: 'a_gate' }],
  });

/** The JSON Schema is `{}`: client generators fail on recursive schemas. */
const value = z.unknown();

export const conditionTrace = z
  .object({
    type: z.string(),
    operator: nullableText,
    field: nullableText,
    targetValue: value,
    idType: z.string(),
    seen: value,
    holds: z.boolean(),
    gate: jsonObject.optional(),
  })
  .meta({ id: 'ConditionTrace' });

export const ruleTrace = z
  .object({
    id: z.string(),
    name: z.string(),
    conditions: z.array(conditionTrace),
    holds: z.boolean(),
    passPercentage: z.number(),
    bucket: z.int().optional(),
    passes: z.boolean().optional(),
  })
  .meta({ id: 'RuleTrace' });

export const trace = z
  .object({
    name: z.string(),
    entity: z.string(),
    version: z.int(),
    enabled: z.boolean(),
    ruleID: z.string(),
    passes: z.boolean(),
    value,
    groupName: nullableText,
    missingUnit: z.string().optional(),
    rules: z.array(ruleTrace),
    delegate: jsonObject.optional(),
  })
  .meta({ id: 'Trace' });

export const explanation = z
  .object({
    kind: z.enum(explainedKinds),
    id: z.string(),
    value,
    traces: z.array(trace),
  })
  .meta({
    id: 'Explanation',
    examples: [
      {
        kind: 'gate',
        id: 'a_gate',
        value: false,
        traces: [
          {
            name: 'a_gate',
            entity: 'feature_gate',
            version: 1,
            enabled: true,
            ruleID: 'default',
            passes: false,
            value: false,
            groupName: null,
            rules: [],
          },
        ],
      },
    ],
  });
