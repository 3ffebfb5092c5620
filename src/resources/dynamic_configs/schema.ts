import * as z from 'zod';
import { listQuery } from '../../operations/query.ts';
import { statusQuery } from '../../operations/status.ts';
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
} from '../../shared/fields.ts';
import { id } from '../../shared/ids.ts';
import { jsonObject } from '../../shared/json.ts';
import { json5Text, jsonText } from '../../shared/json_text.ts';
import { rule, ruleExample, rulesInput } from '../../shared/rules.ts';

export const dynamicConfigStatuses = ['In Progress', 'Disabled', 'Archived'] as const;

const status = z.enum(dynamicConfigStatuses).meta({ id: 'DynamicConfigStatus' });

/** Characters of a JSON Schema. */
const longestSchema = 100_000;

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

/** A dynamic config as it is answered. */
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

/** A dynamic config as it is stored: `isEnabled` is computed when read. */
export const storedDynamicConfig = dynamicConfigResponse.omit({ isEnabled: true }).extend({
  /** What an archived config was, and will be when it comes back. */
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
    schema: jsonText.max(longestSchema),
    schemaJson5: json5Text.max(longestSchema),
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
  ...given
} = example;

/** Body of PATCH /dynamic_configs/{id}. */
export const dynamicConfigPatch = fields.meta({
  id: 'DynamicConfigPatch',
  examples: [{ defaultValue: { colour: 'red' } }],
});

/** Body of POST /dynamic_configs/{id}: absent fields fall back to their defaults. */
export const dynamicConfigUpdate = fields.meta({ id: 'DynamicConfigUpdate', examples: [given] });

/** Body of POST /dynamic_configs. */
export const dynamicConfigCreate = fields
  .required({ name: true })
  .extend({ id: id.optional() })
  .meta({ id: 'DynamicConfigCreate', examples: [given] });

/** Query of GET /dynamic_configs. Archived configs are left out unless asked for. */
export const dynamicConfigList = listQuery.extend({
  releasePipelineID: z.string().optional(),
  status: repeatable(status),
  teamID: z.string().optional(),
  ...statusQuery.shape,
});
