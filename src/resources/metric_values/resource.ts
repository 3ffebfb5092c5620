import type { Resource } from '../resource.ts';
import { metricValueRoutes } from './routes.ts';

export const metricValueResource = {
  path: 'metrics/values',
  routes: metricValueRoutes,
} satisfies Resource;
