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

/** Body of POST /evaluate. */
export const explainBody = z
  .object({
    user: jsonObject.meta({
      description: 'As SDKs send it: `userID`, `customIDs`, `custom`, and the like.',
    }),
    kind: z.enum(explainedKinds),
    id: z.string(),
    asStarted: z.boolean().optional().meta({
      description:
        'Whether to evaluate an experiment or autotune in setup as if it had started. The actual start draws its groups anew.',
    }),
    now: time.optional().meta({ description: 'Epoch milliseconds; now where absent.' }),
  })
  .meta({
    id: 'EvaluateBody',
    examples: [{ user: { userID: 'u-1', custom: { plan: 'pro' } }, kind: 'gate', id: 'a_gate' }],
  });

/** Any JSON. Written as `{}`: a schema that refers to itself breaks generators of clients. */
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
        'The value that it saw: of a bucket its number, or null; of a long one the beginning.',
    }),
    holds: z.boolean(),
    gate: jsonObject.optional().meta({ description: 'The trace of the gate that it asked.' }),
  })
  .meta({ id: 'ConditionTrace' });

const ruleTrace = z
  .object({
    id: z.string(),
    name: z.string(),
    conditions: z.array(conditionTrace),
    holds: z.boolean(),
    passPercentage: z.number(),
    bucket: z.int().optional().meta({ description: 'Of 10,000; absent where nothing was drawn.' }),
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
      .meta({ description: 'The trace of the experiment of a layer.' }),
  })
  .meta({ id: 'Trace' });

/** What a user gets, and why. */
export const explanation = z
  .object({
    kind: z.enum(explainedKinds),
    id: z.string(),
    value,
    traces: z.array(trace).meta({ description: 'Of a param store, one for each that it asked.' }),
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
