import type * as z from 'zod';
import { describedName } from '../../shared/name_schemas.ts';

/** The schemas of a target app. */
export const targetApp = describedName('TargetApp', {
  name: 'storefront',
  description: 'The online shop.',
});

export type TargetApp = z.infer<typeof targetApp.response>;
