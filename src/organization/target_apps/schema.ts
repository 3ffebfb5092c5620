import type * as z from 'zod';
import { describedName } from '../../platform/resource/name_schemas.ts';

export const targetApp = describedName('TargetApp', {
  name: 'storefront',
  description: 'The online shop.',
});

export type TargetApp = z.infer<typeof targetApp.response>;
