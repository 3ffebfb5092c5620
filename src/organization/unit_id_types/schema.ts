import type * as z from 'zod';
import { describedName } from '../../platform/resource/name_schemas.ts';

export const unitIDType = describedName('UnitIDType', {
  name: 'companyID',
  description: 'The company that a user belongs to.',
});

export type UnitIDType = z.infer<typeof unitIDType.response>;
