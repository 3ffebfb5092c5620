import { Hono } from 'hono';
import { idParam } from '../../base/ids.ts';
import type { Service } from '../../platform/env.ts';
import { numberedPage, single } from '../../platform/http/envelope.ts';
import { requires } from '../../platform/http/scope.ts';
import { readMessage } from '../../platform/http/success.ts';
import { openReads } from '../../platform/http/transact.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import {
  changeHandlers,
  creationHandlers,
  patchHandlers,
  removalHandlers,
} from '../../platform/operations/changing.ts';
import {
  restoreHandlers,
  versionHandlers,
  versionsHandlers,
} from '../../platform/operations/history.ts';
import { listHandlers, readHandlers } from '../../platform/operations/reading.ts';
import { referencesHandlers } from '../../platform/operations/references.ts';
import { resourceOf, successOf } from '../../platform/operations/resource.ts';
import { readEntity } from '../../platform/store/entities/entities.ts';
import { archiveEntity, unarchiveEntity } from '../rules/switching.ts';
import {
  conditionalPatch,
  idListPatch,
  idListQuery,
  idListRead,
  idListResponse,
  segmentCreate,
  segmentList,
  segmentPatch,
  segmentResponse,
} from './schema.ts';
import {
  archiveSegment,
  newSegment,
  patchIDList,
  patchSegment,
  unarchiveSegment,
  viewIDList,
} from './segment.ts';
import { segments } from './table.ts';

const resource = resourceOf(segments, segmentResponse);
const idsResource = { kind: segments, response: idListResponse, view: viewIDList };

/** Infrastructure-as-code clients send it as a POST. */
const changeRules = changeHandlers(resource, {
  summary: 'Update the rules of a segment',
  action: 'update',
  done: 'updated',
  body: conditionalPatch,
  next: patchSegment,
});

export const segmentRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get(
    '/',
    ...listHandlers(resource, segmentList, ({ status, includeArchived }) => ({
      all: includeArchived || status !== undefined,
    })),
  )
  .post('/', ...creationHandlers(resource, { body: segmentCreate, make: newSegment }))
  .get('/:id', ...readHandlers(resource))
  .patch('/:id', ...patchHandlers(resource, segmentPatch, patchSegment))
  .delete('/:id', ...removalHandlers(resource))
  .post('/:id/conditional', ...changeRules)
  .patch('/:id/conditional', ...changeRules)
  .put('/:id/archive', ...archiveEntity(resource, archiveSegment))
  .put('/:id/unarchive', ...unarchiveEntity(resource, unarchiveSegment))
  .get(
    '/:id/id_list',
    doc(
      'Read the ids of one segment, all or a page',
      successOf(segments, 'read', 'ids'),
      idListRead,
      {
        conflicts: true,
      },
    ),
    valid('param', idParam),
    valid('query', idListQuery),
    async (c) => {
      const segment = await readEntity(openReads(c), segments, c.req.valid('param').id);
      const given = c.req.valid('query');
      const { ids, count } = viewIDList(segment);
      if ((given.page ?? given.limit) === undefined)
        return single(c, readMessage(c), segment, { ids, count });
      const { page = 1, limit = 100 } = given;
      const some = ids.slice((page - 1) * limit, page * limit);
      const pagination = numberedPage(c, page, limit, count);
      return single(c, readMessage(c), segment, { ids: some, count }, { pagination });
    },
  )
  .patch(
    '/:id/id_list',
    ...changeHandlers(idsResource, {
      summary: 'Add ids to a segment and remove others',
      action: 'update_id_list',
      part: 'ids',
      done: 'updated',
      body: idListPatch,
      next: patchIDList,
    }),
  )
  .get('/:id/references', ...referencesHandlers(resource))
  .get('/:id/versions', ...versionsHandlers(resource))
  .get('/:id/versions/:version', ...versionHandlers(resource))
  .put('/:id/versions/:version/restore', ...restoreHandlers(resource));
