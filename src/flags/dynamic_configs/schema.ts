import * as z from 'zod';
import {
  creatorInput,
  description,
  idTypeInput,
  name,
  nameInput,
  nullableName,
  nullableText,
  repeatable,
  stamps,
  stampsExample,
  strings,
  tags,
  targetAppsInput,
} from '../../base/fields.ts';
import { id } from '../../base/ids.ts';
import { jsonObject } from '../../base/json.ts';
import { json5Text, jsonText } from '../../base/json_text.ts';
import { listQuery } from '../../platform/operations/query.ts';
import { statusQuery } from '../../platform/operations/status.ts';
import { rule, ruleExample, rulesInput } from '../rules/rules.ts';

export const dynamicConfigStatuses = ['In Progress', 'Disabled', 'Archived'] as const;

const status = z.enum(dynamicConfigStatuses).meta({ id: 'DynamicConfigStatus' });

const maxSchemaLength = 100_000;

const schemaExample = JSON.stringify({ properties: { colour: { type: 'string' } } });

const example = {
  id: 'checkout_theme',
  name: 'Checkout theme',
  description: 'Colours of the checkout.',
  idType: 'userID',
  targetApps: [],
  holdoutIDs: [],
  tags: ['checkout'],
  team: '',
  teamID: null,
  isEnabled: true,
  status: 'In Progress',
  rules: [{ ...ruleExample, returnValue: { colour: 'green' } }],
  defaultValue: { colour: 'blue' },
  defaultValueJson5: "{ colour: 'blue' } // as ever",
  schema: schemaExample,
  schemaJson5: schemaExample,
  releasePipelineID: null,
};

export const dynamicConfigResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    idType: z.string(),
    targetApps: strings,
    holdoutIDs: strings,
    tags: strings,
    team: z.string(),
    teamID: nullableText,
    isEnabled: z.boolean(),
    status,
    rules: z.array(rule),
    defaultValue: jsonObject,
    defaultValueJson5: z.string(),
    schema: z.string(),
    schemaJson5: z.string(),
    releasePipelineID: nullableText,
    ...stamps,
  })
  .meta({ id: 'DynamicConfig', examples: [{ ...example, ...stampsExample }] });

export const storedDynamicConfig = dynamicConfigResponse.omit({ isEnabled: true }).extend({
  archivedFrom: status.nullable(),
});

export type DynamicConfig = z.infer<typeof storedDynamicConfig>;

const fields = z
  .object({
    name,
    description,
    idType: idTypeInput,
    targetApps: targetAppsInput,
    tags,
    team: nameInput,
    teamID: nullableName,
    isEnabled: z.boolean(),
    rules: rulesInput,
    defaultValue: jsonObject,
    defaultValueJson5: json5Text,
    schema: jsonText.max(maxSchemaLength),
    schemaJson5: json5Text.max(maxSchemaLength),
    releasePipelineID: nullableText,
    ...creatorInput,
  })
  .partial();

const {
  id: _id,
  status: _status,
  holdoutIDs: _holdoutIDs,
  defaultValueJson5: _value,
  schemaJson5: _schema,
  ...bodyExample
} = example;

export const dynamicConfigPatch = fields.meta({
  id: 'DynamicConfigPatch',
  examples: [{ defaultValue: { colour: 'red' } }],
});

export const dynamicConfigUpdate = fields.meta({
  id: 'DynamicConfigUpdate',
  examples: [bodyExample],
});

export const dynamicConfigCreate = fields
  .required({ name: true })
  .extend({ id: id.optional() })
  .meta({ id: 'DynamicConfigCreate', examples: [bodyExample] });

export const dynamicConfigList = listQuery.extend({
  releasePipelineID: z.string().optional(),
  status: repeatable(status),
  teamID: z.string().optional(),
  ...statusQuery.shape,
});
