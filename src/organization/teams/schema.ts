import type * as z from 'zod';
import { describedName } from '../../platform/resource/name_schemas.ts';

export const team = describedName('Team', {
  name: 'Growth',
  description: 'Improves the path from visit to purchase.',
});

export type Team = z.infer<typeof team.response>;
