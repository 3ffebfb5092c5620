import * as z from 'zod';
import {
  description,
  displayName,
  distinctNames,
  name,
  nameInput,
  nameSet,
  partName,
  stamps,
  stampsExample,
  strings,
  tags,
  valueType,
} from '../../base/fields.ts';
import { id } from '../../base/ids.ts';
import { json } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { report } from '../../base/report.ts';
import { typeOfValue } from '../../base/value_types.ts';

const entityName = z.string().min(1);

const own = { name: partName, param_type: valueType };

const anyParameter = z.discriminatedUnion('ref_type', [
  z.object({ ...own, ref_type: z.literal('static'), value: json }),
  z.object({
    ...own,
    ref_type: z.literal('gate'),
    gate_name: entityName,
    pass_value: json,
    fail_value: json,
  }),
  z.object({
    ...own,
    ref_type: z.literal('layer'),
    layer_name: entityName,
    param_name: entityName,
  }),
  z.object({
    ...own,
    ref_type: z.literal('dynamic_config'),
    config_name: entityName,
    param_name: entityName,
  }),
  z.object({
    ...own,
    ref_type: z.literal('experiment'),
    experiment_name: entityName,
    param_name: entityName,
  }),
]);

export type Parameter = z.infer<typeof anyParameter>;

function valuesOfParameter(parameter: Parameter): [string, unknown][] {
  if (parameter.ref_type === 'static') return [['value', parameter.value]];
  if (parameter.ref_type !== 'gate') return [];
  const { pass_value, fail_value } = parameter;
  return Object.entries({ pass_value, fail_value });
}

export const parameter = anyParameter
  .superRefine((given, context) => {
    for (const [property, held] of valuesOfParameter(given))
      if (typeOfValue(held) !== given.param_type)
        report(context, `must be of type ${given.param_type}`, property);
  })
  .meta({ id: 'Parameter' });

const example = {
  name: 'checkout',
  displayName: 'Checkout',
  description: 'The appearance of the checkout.',
  targetAppIDs: ['web'],
  tags: ['checkout'],
  team: 'payments',
  parameters: [{ name: 'is_short', ref_type: 'static', param_type: 'boolean', value: true }],
};

export const storeResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    displayName: z.string(),
    description: z.string(),
    targetAppIDs: strings,
    tags: strings,
    team: z.string(),
    parameters: z.array(parameter),
    ...stamps,
  })
  .meta({ id: 'ParamStore', examples: [{ id: 'checkout', ...example, ...stampsExample }] });

export type ParamStore = z.infer<typeof storeResponse>;

export const storeUpdate = z
  .object({
    name,
    description,
    displayName: displayName(1, 100),
    targetAppIDs: nameSet(limits.entries).optional(),
    tags: tags.optional(),
    team: nameInput.optional(),
    parameters: z
      .array(parameter)
      .max(limits.parameters)
      .superRefine(distinctNames('name'))
      .optional(),
  })
  .meta({ id: 'ParamStoreUpdate', examples: [example] });

export const storePatch = storeUpdate
  .partial()
  .meta({ id: 'ParamStorePatch', examples: [{ displayName: 'Checkout, short' }] });

export const storeCreate = storeUpdate
  .extend({ id: id.optional() })
  .meta({ id: 'ParamStoreCreate', examples: [example] });
