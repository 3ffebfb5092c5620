import { creation } from '../../platform/resource/portable.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { newMetric } from './metric.ts';
import { metricRoutes } from './routes.ts';
import { metricCreate, storedMetric } from './schema.ts';
import { metrics } from './table.ts';

export const metricResource = {
  path: 'metrics',
  kind: metrics,
  routes: metricRoutes,
  transfer: { stage: 'parts', stored: storedMetric, creation: creation(metricCreate, newMetric) },
  example: { type: 'event_count_custom', metricEvents: [{ name: 'purchase', type: 'count' }] },
} satisfies Resource;
