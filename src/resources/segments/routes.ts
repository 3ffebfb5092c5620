import { Hono } from 'hono';
import type { Resource } from '../../env.ts';
import { idParam } from '../../fields.ts';
import { commonFilters, match } from '../../filters.ts';
import { entityRoutes } from '../../http/entity.ts';
import { created, listing, listOf, oneOf, single } from '../../http/envelope.ts';
import { doc, valid } from '../../http/valid.ts';
import {
  idListPatch,
  idListResponse,
  type Segment,
  segmentCreate,
  segmentList,
  segmentPatch,
  segmentResponse,
} from './schema.ts';
import { newSegment, patchIDList, patchSegment, viewIDList, viewSegment } from './segment.ts';
import { segments, segmentTable } from './table.ts';

const segment = oneOf(segmentResponse);

const idListRoutes = new Hono<Resource>()
  .get(
    '/:id/id_list',
    doc('Read the ids of a segment', oneOf(idListResponse)),
    valid('param', idParam),
    async (c) => {
      const entity = await segments.get(c, c.req.valid('param').id);
      return single(c, 'ID list read successfully.', entity, viewIDList(entity));
    },
  )
  .patch(
    '/:id/id_list',
    doc('Add ids to a segment and remove others', oneOf(idListResponse)),
    valid('param', idParam),
    valid('json', idListPatch),
    async (c) => {
      const body = c.req.valid('json');
      const { id } = c.req.valid('param');
      const next = (current: Segment) => patchIDList(current, body);
      const entity = await segments.change(c, id, 'update_id_list', next);
      return single(c, 'ID list updated successfully.', entity, viewIDList(entity));
    },
  );

export const segmentRoutes = new Hono<Resource>()
  .get(
    '/',
    doc('List segments', listOf(segmentResponse)),
    valid('query', segmentList),
    async (c) => {
      const query = c.req.valid('query');
      const filters = [...commonFilters(segments, query), match(segmentTable.type, query.type)];
      const page = await segments.list(c, { page: query, filters });
      return listing(c, 'Segments listed successfully.', page, viewSegment);
    },
  )
  .post('/', doc('Create a segment', segment, 201), valid('json', segmentCreate), async (c) => {
    const entity = await segments.create(c, newSegment(c.req.valid('json')));
    return created(c, 'Segment created successfully.', entity, viewSegment(entity));
  })
  .patch(
    '/:id',
    doc('Update some properties of a segment', segment),
    valid('param', idParam),
    valid('json', segmentPatch),
    async (c) => {
      const body = c.req.valid('json');
      const { id } = c.req.valid('param');
      const next = (current: Segment) => patchSegment(current, body);
      const entity = await segments.change(c, id, 'update', next);
      return single(c, 'Segment updated successfully.', entity, viewSegment(entity));
    },
  )
  .route('/', idListRoutes)
  .route('/', entityRoutes({ collection: segments, response: segmentResponse, view: viewSegment }));
