import * as z from 'zod';
import { usedName } from '../../operations/names.ts';
import { addressableName, description, stamps, stampsExample } from '../../shared/fields.ts';

const example = {
  name: 'Growth',
  description: 'Who looks after the way from visit to purchase.',
};

const registeredExample = { id: example.name, ...example, ...stampsExample };

/** A team, as it is registered; its name is its id. */
export const teamResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    ...stamps,
  })
  .meta({ id: 'Team', examples: [registeredExample] });

export type Team = z.infer<typeof teamResponse>;

/** The same in lists, be it registered or only used. */
export const usedTeam = usedName(teamResponse, 'UsedTeam', registeredExample);

/** Body of PATCH /teams/{id}. */
export const teamPatch = z
  .object({ name: addressableName, description })
  .partial()
  .meta({
    id: 'TeamPatch',
    examples: [{ description: 'Who looks after the way from visit to purchase.' }],
  });

/** Body of POST /teams. */
export const teamCreate = teamPatch
  .required({ name: true })
  .meta({ id: 'TeamCreate', examples: [example] });
