import { creation } from '../../platform/resource/portable.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { holdoutRoutes } from './routes.ts';
import { holdoutCreate, storedHoldout } from './schema.ts';
import { holdouts, newHoldout } from './table.ts';

export const holdoutResource = {
  path: 'holdouts',
  kind: holdouts,
  routes: holdoutRoutes,
  transfer: {
    stage: 'collections',
    stored: storedHoldout,
    creation: creation(holdoutCreate, newHoldout),
  },
  example: { isEnabled: true, passPercentage: 2 },
} satisfies Resource;
