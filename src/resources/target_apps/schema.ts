import type * as z from 'zod';
import { describedName } from '../../shared/name_schemas.ts';

/** A target app: its schemas as it is registered, in lists and in bodies. */
export const targetApp = describedName('TargetApp', {
  name: 'storefront',
  description: 'The shop as customers see it.',
});

export type TargetApp = z.infer<typeof targetApp.response>;
