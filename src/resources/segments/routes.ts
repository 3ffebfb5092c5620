import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { requires } from '../../http/scope.ts';
import { change, create, patch, remove } from '../../operations/changing.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { list, read } from '../../operations/reading.ts';
import { references } from '../../operations/references.ts';
import {
  idListPatch,
  idListResponse,
  segmentCreate,
  segmentList,
  segmentPatch,
  segmentResponse,
} from './schema.ts';
import { newSegment, patchIDList, patchSegment, viewIDList, viewSegment } from './segment.ts';
import { segments } from './table.ts';

const shown = { kind: segments, response: segmentResponse, view: viewSegment };
const shownIDs = { kind: segments, response: idListResponse, view: viewIDList };

export const segmentRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...list(shown, segmentList, ({ type }) => ({ columns: { type } })))
  .post('/', ...create(shown, { body: segmentCreate, make: newSegment }))
  .get('/:id', ...read(shown))
  .patch('/:id', ...patch(shown, segmentPatch, patchSegment))
  .delete('/:id', ...remove(shown))
  .get('/:id/id_list', ...read(shownIDs, 'ids'))
  .patch(
    '/:id/id_list',
    ...change(shownIDs, {
      summary: 'Add ids to a segment and remove others',
      action: 'update_id_list',
      done: 'ids updated',
      body: idListPatch,
      next: patchIDList,
    }),
  )
  .get('/:id/references', ...references(shown))
  .get('/:id/versions', ...versions(shown))
  .get('/:id/versions/:version', ...version(shown))
  .put('/:id/versions/:version/restore', ...restore(shown));
