import { changeRoute, createRoute, patchRoute } from '../../operations/changing.ts';
import { entityRoutes } from '../../operations/history.ts';
import { listRoute, readRoute } from '../../operations/reading.ts';
import { combine } from '../../operations/shown.ts';
import { match } from '../../shared/filters.ts';
import {
  idListPatch,
  idListResponse,
  segmentCreate,
  segmentList,
  segmentPatch,
  segmentResponse,
} from './schema.ts';
import { newSegment, patchIDList, patchSegment, viewIDList, viewSegment } from './segment.ts';
import { segments, segmentTable } from './table.ts';

const shown = { collection: segments, response: segmentResponse, view: viewSegment };
const idList = { collection: segments, response: idListResponse, view: viewIDList };

export const segmentRoutes = combine(
  listRoute(shown, segmentList, ({ type }) => [match(segmentTable.type, type)]),
  createRoute(shown, { body: segmentCreate, make: newSegment }),
  patchRoute(shown, segmentPatch, patchSegment),
  readRoute(idList, '/id_list', 'ids'),
  changeRoute(idList, {
    method: 'PATCH',
    path: '/id_list',
    summary: 'Add ids to a segment and remove others',
    action: 'update_id_list',
    done: 'ids updated',
    body: idListPatch,
    next: patchIDList,
  }),
  entityRoutes(shown),
);
