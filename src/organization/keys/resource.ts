import type { Resource } from '../../platform/resource/resource.ts';
import { keyRoutes } from './routes.ts';
import { keys } from './table.ts';

export const keyResource = {
  path: 'keys',
  kind: keys,
  routes: keyRoutes,
  example: { scopes: ['read'] },
} satisfies Resource;
