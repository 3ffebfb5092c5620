import type { Resource } from '../../platform/resource/resource.ts';
import { metricValueRoutes } from './routes.ts';

export const metricValueResource = {
  path: 'metrics/values',
  routes: metricValueRoutes,
} satisfies Resource;
