import * as z from 'zod';
import {
  addressableName,
  description,
  stamps,
  stampsExample,
  usedStamps,
} from '../../base/fields.ts';

export const mergeOption = {
  merge: z.boolean().optional(),
};

/** Derives the schema of a name in lists from the schema of its registration. */
export const usedNameSchema = <S extends z.ZodRawShape>(
  registered: z.ZodObject<S>,
  id: string,
  example: object,
) =>
  registered
    .extend({
      ...usedStamps.shape,
      uses: z.int(),
    })
    .meta({
      id,
      examples: [{ ...example, uses: 3 }],
    });

/** Returns the schemas of a name with only a description; `id` is the schema ID in the OpenAPI document. */
export function describedName(id: string, example: { name: string; description: string }) {
  const registered = { id: example.name, ...example, ...stampsExample };
  const response = z
    .object({ id: z.string(), name: z.string(), description: z.string(), ...stamps })
    .meta({ id, examples: [registered] });
  const fields = z.object({ name: addressableName, description }).partial();
  const patch = fields
    .extend(mergeOption)
    .meta({ id: `${id}Patch`, examples: [{ description: example.description }] });
  const create = fields.required({ name: true }).meta({ id: `${id}Create`, examples: [example] });
  return { response, used: usedNameSchema(response, `Used${id}`, registered), patch, create };
}

export const newName = ({
  name,
  ...given
}: {
  name: string;
  description?: string | undefined;
}) => ({
  id: name,
  name,
  description: '',
  ...given,
});
