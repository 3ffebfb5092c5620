import { memberOf } from '../../base/value_types.ts';
import { creation } from '../../platform/resource/portable.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { segmentRoutes } from './routes.ts';
import { segmentCreate, storedSegment } from './schema.ts';
import { newSegment, requireSegmentReached } from './segment.ts';
import { segments } from './table.ts';

function countIDs(record: object) {
  const ids = memberOf(record, 'ids');
  return { count: Array.isArray(ids) ? ids.length : 0 };
}

export const segmentResource = {
  path: 'segments',
  kind: segments,
  routes: segmentRoutes,
  transfer: {
    stage: 'parts',
    stored: storedSegment,
    creation: creation(segmentCreate, newSegment),
    fromList: countIDs,
    requireReached: requireSegmentReached,
  },
} satisfies Resource;
