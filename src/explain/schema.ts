import * as z from 'zod';
import { nullableText, time } from '../shared/fields.ts';
import { jsonObject } from '../shared/json.ts';

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
    user: jsonObject.meta({
      description: 'In the format of SDKs: `userID`, `customIDs`, `custom` and other fields.',
    }),
    kind: z.enum(explainedKinds),
    id: z.string(),
    asStarted: z.boolean().optional().meta({
      description:
        'Whether to evaluate an experiment or autotune in setup as if it had started. The actual start assigns its groups again.',
    }),
    now: time.optional().meta({ description: 'Epoch milliseconds; defaults to now.' }),
  })
  .meta({
    id: 'EvaluateBody',
    examples: [{ user: { userID: 'u-1', custom: { plan: 'pro' } }, kind: 'gate', id: 'a_gate' }],
  });

/** The JSON Schema is `{}`: client generators fail on recursive schemas. */
const value = z.unknown().meta({ description: 'Any JSON.' });

const conditionTrace = z
  .object({
    type: z.string(),
    operator: nullableText,
    field: nullableText,
    targetValue: value,
    idType: z.string(),
    seen: value.meta({
      description:
        'The compared value: for a bucket its number; null if missing; shortened if long.',
    }),
    holds: z.boolean(),
    gate: jsonObject
      .optional()
      .meta({ description: 'The trace of the gate that the condition depends on.' }),
  })
  .meta({ id: 'ConditionTrace' });

const ruleTrace = z
  .object({
    id: z.string(),
    name: z.string(),
    conditions: z.array(conditionTrace),
    holds: z.boolean(),
    passPercentage: z.number(),
    bucket: z
      .int()
      .optional()
      .meta({ description: '0 to 9,999; absent if the rule needed no bucket.' }),
    passes: z.boolean().optional(),
  })
  .meta({ id: 'RuleTrace' });

const trace = z
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
    delegate: jsonObject
      .optional()
      .meta({ description: 'The trace of the experiment that the layer delegated to.' }),
  })
  .meta({ id: 'Trace' });

export const explanation = z
  .object({
    kind: z.enum(explainedKinds),
    id: z.string(),
    value,
    traces: z.array(trace).meta({
      description: 'One trace; for a param store, one for each entity that it depends on.',
    }),
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
