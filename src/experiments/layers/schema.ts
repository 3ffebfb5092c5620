import * as z from 'zod';
import {
  description,
  distinctNames,
  idTypeInput,
  name,
  nameInput,
  nullableName,
  nullableText,
  singleLine,
  stamps,
  stampsExample,
  strings,
  tags,
  targetAppsInput,
  unitIDs,
  valueType,
  wordFilter,
} from '../../base/fields.ts';
import { id } from '../../base/ids.ts';
import { json } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { report } from '../../base/report.ts';
import { typeOfValue } from '../../base/value_types.ts';
import { listQuery } from '../../platform/operations/query.ts';

export const parameter = z
  .object({ name: singleLine, type: valueType, defaultValue: json })
  .superRefine(({ type, defaultValue }, context) => {
    if (defaultValue !== undefined && typeOfValue(defaultValue) !== type)
      report(context, `must be of type ${type}, like the parameter`, 'defaultValue');
  })
  .meta({ id: 'LayerParameter' });

const named = z.string().min(1);

export const conditionalOverride = z
  .object({
    type: z.enum(['gate', 'segment']),
    name: named,
    experimentName: named,
    groupName: named,
  })
  .meta({ id: 'ConditionalOverride' });

const idOverride = z.object({
  groupName: z.string(),
  ids: strings.max(limits.ids),
  idType: z.string(),
  environment: z.string(),
  experimentName: z.string(),
});

const overridesExample = {
  conditionalOverrides: [
    { type: 'gate', name: 'employees', experimentName: 'receipt_layout', groupName: 'Test' },
  ],
  idOverrides: [
    {
      groupName: 'Control',
      ids: ['u-1', 'u-2'],
      idType: 'userID',
      environment: 'production',
      experimentName: 'receipt_layout',
    },
  ],
};

const overridesOf = <S extends z.ZodType>(ofIDs: S) =>
  z.object({
    conditionalOverrides: z.array(conditionalOverride).max(limits.overrides),
    idOverrides: z.array(ofIDs).max(limits.overrides),
  });

export const overridesResponse = overridesOf(idOverride).meta({
  id: 'LayerOverrides',
  examples: [overridesExample],
});

const idOverrideInput = z.object({
  groupName: named,
  ids: unitIDs,
  idType: nameInput.default(''),
  environment: nameInput.default(''),
  experimentName: named,
});

export const overridesRequest = overridesOf(idOverrideInput)
  .partial()
  .meta({ id: 'LayerOverridesInput', examples: [overridesExample] });

const idOverrideRemoval = idOverrideInput.extend({
  idType: nullableName.transform((idType) => idType || undefined).optional(),
  environment: nameInput.optional(),
});

export const overridesRemoval = overridesOf(idOverrideRemoval)
  .partial()
  .meta({
    id: 'LayerOverridesRemoval',
    examples: [overridesExample],
  });

const example = {
  name: 'Checkout',
  description: 'Everything between the cart and the receipt.',
  idType: 'userID',
  parameters: [{ name: 'green', type: 'boolean', defaultValue: false }],
  tags: ['checkout'],
  targetApps: [],
  team: null,
};

export const layerResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    idType: z.string(),
    parameters: z.array(parameter),
    targetApps: strings,
    holdoutIDs: strings,
    tags: strings,
    team: nullableText,
    ...stamps,
  })
  .meta({
    id: 'Layer',
    examples: [{ id: 'checkout', ...example, holdoutIDs: [], ...stampsExample }],
  });

export const storedLayer = layerResponse.extend({ overrides: overridesResponse });

export type Layer = z.infer<typeof storedLayer>;

export const layerPatch = z
  .object({
    name,
    description,
    idType: idTypeInput,
    parameters: z.array(parameter).max(limits.parameters).superRefine(distinctNames('name')),
    targetApps: targetAppsInput,
    tags,
    team: nullableName,
  })
  .partial()
  .meta({ id: 'LayerPatch', examples: [{ parameters: example.parameters }] });

export const layerUpdate = layerPatch.meta({ id: 'LayerUpdate', examples: [example] });

export const layerCreate = layerPatch
  .required({ name: true })
  .extend({ id: id.optional() })
  .meta({ id: 'LayerCreate', examples: [example] });

export const layerList = listQuery.extend({ idType: wordFilter });
