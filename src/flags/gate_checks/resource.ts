import type { Resource } from '../../platform/resource/resource.ts';
import { gateCheckRoutes } from './routes.ts';

export const gateCheckResource = {
  path: 'gate_checks',
  routes: gateCheckRoutes,
} satisfies Resource;
