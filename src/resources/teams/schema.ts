import type * as z from 'zod';
import { describedName } from '../../shared/name_schemas.ts';

/** A team: its schemas as it is registered, in lists and in bodies. */
export const {
  response: teamResponse,
  used: usedTeam,
  patch: teamPatch,
  create: teamCreate,
} = describedName('Team', {
  name: 'Growth',
  description: 'Who looks after the way from visit to purchase.',
});

export type Team = z.infer<typeof teamResponse>;
