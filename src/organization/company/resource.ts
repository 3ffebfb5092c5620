import type { Resource } from '../../platform/resource/resource.ts';
import { companyRoutes } from './routes.ts';
import { companies } from './table.ts';

export const companyResource = {
  path: 'company',
  kind: companies,
  routes: companyRoutes,
} satisfies Resource;
