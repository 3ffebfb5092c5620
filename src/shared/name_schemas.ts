import * as z from 'zod';
import { addressableName, description, stamps, stampsExample, usedStamps } from './fields.ts';

/** What a change of a name may be told besides its properties. */
export const merging = {
  merge: z.boolean().optional().meta({
    description: 'Whether to become one with a name in use; permanent.',
  }),
};

/** The schema of a name in lists, out of that of what is registered. */
export const usedName = <S extends z.ZodRawShape>(
  registered: z.ZodObject<S>,
  id: string,
  example: object,
) =>
  registered
    .extend({
      ...usedStamps.shape,
      uses: z.int().meta({ description: 'How many entities have it in a property of their own.' }),
    })
    .meta({
      id,
      description: 'Without version, times and people where it is used, and not registered.',
      examples: [{ ...example, uses: 3 }],
    });

/**
 * The schemas of a name of which a description is registered, and nothing else; the name is its id.
 * @param id what the document calls it
 */
export function describedName(id: string, example: { name: string; description: string }) {
  const registered = { id: example.name, ...example, ...stampsExample };
  const response = z
    .object({ id: z.string(), name: z.string(), description: z.string(), ...stamps })
    .meta({ id, examples: [registered] });
  const fields = z.object({ name: addressableName, description }).partial();
  const patch = fields
    .extend(merging)
    .meta({ id: `${id}Patch`, examples: [{ description: example.description }] });
  const create = fields.required({ name: true }).meta({ id: `${id}Create`, examples: [example] });
  return { response, used: usedName(response, `Used${id}`, registered), patch, create };
}

/** Such a name from the body of its registration; of one that is only used, its name is all there is. */
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
