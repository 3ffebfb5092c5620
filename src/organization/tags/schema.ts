import * as z from 'zod';
import { addressableName, description, stamps, stampsExample } from '../../base/fields.ts';
import { mergeOption, usedNameSchema } from '../../platform/resource/name_schemas.ts';

const example = {
  name: 'checkout',
  description: 'Everything related to payment.',
  isCore: true,
};

export const tagExample = { id: example.name, ...example, ...stampsExample };

export const tagResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    isCore: z.boolean(),
    ...stamps,
  })
  .meta({ id: 'Tag', examples: [tagExample] });

export type Tag = z.infer<typeof tagResponse>;

export const usedTag = usedNameSchema(tagResponse, 'UsedTag', tagExample);

const fields = z.object({ name: addressableName, description, isCore: z.boolean() }).partial();

export const tagPatch = fields
  .extend(mergeOption)
  .meta({ id: 'TagPatch', examples: [{ description: 'Everything related to payment.' }] });

export const tagCreate = fields
  .required({ name: true })
  .meta({ id: 'TagCreate', examples: [example] });
