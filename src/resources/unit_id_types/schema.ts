import * as z from 'zod';
import { usedName } from '../../operations/names.ts';
import { addressableName, description, stamps, stampsExample } from '../../shared/fields.ts';

const example = {
  name: 'companyID',
  description: 'The company that a user belongs to.',
};

const registeredExample = { id: example.name, ...example, ...stampsExample };

/** A type of unit ids, as it is registered; its name is its id. */
export const unitIdTypeResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    ...stamps,
  })
  .meta({ id: 'UnitIDType', examples: [registeredExample] });

export type UnitIDType = z.infer<typeof unitIdTypeResponse>;

/** The same in lists, be it registered or only used. */
export const usedUnitIDType = usedName(unitIdTypeResponse, 'UsedUnitIDType', registeredExample);

/** Body of PATCH /unit_id_types/{id}. */
export const unitIdTypePatch = z
  .object({ name: addressableName, description })
  .partial()
  .meta({
    id: 'UnitIDTypePatch',
    examples: [{ description: 'The company that a user belongs to.' }],
  });

/** Body of POST /unit_id_types. */
export const unitIdTypeCreate = unitIdTypePatch
  .required({ name: true })
  .meta({ id: 'UnitIDTypeCreate', examples: [example] });
