import type * as z from 'zod';
import { describedName } from '../../shared/name_schemas.ts';

/** A team: its schemas as it is registered, in lists and in bodies. */
export const team = describedName('Team', {
  name: 'Growth',
  description: 'Who looks after the way from visit to purchase.',
});

export type Team = z.infer<typeof team.response>;
