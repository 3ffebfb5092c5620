import { Hono } from 'hono';
import type { Resource } from '../../env.ts';
import { idParam, merge, show } from '../../fields.ts';
import { commonFilters, listQuery } from '../../filters.ts';
import { entityRoutes } from '../../http/entity.ts';
import { created, listing, listOf, oneOf, single } from '../../http/envelope.ts';
import { doc, valid } from '../../http/valid.ts';
import { type AssignmentSource, sourceCreate, sourcePatch, sourceResponse } from './schema.ts';
import { assignmentSources } from './table.ts';

const view = (source: AssignmentSource) => show(sourceResponse, source);

const empty = {
  description: '',
  tags: [],
  sql: '',
  timestampColumn: '',
  groupIDColumn: '',
  experimentIDColumn: '',
  idTypeMapping: [],
};

export const assignmentSourceRoutes = new Hono<Resource>()
  .get(
    '/',
    doc('List assignment sources', listOf(sourceResponse)),
    valid('query', listQuery),
    async (c) => {
      const query = c.req.valid('query');
      const filters = commonFilters(assignmentSources, query);
      const page = await assignmentSources.list(c, { page: query, filters });
      return listing(c, 'Assignment sources listed successfully.', page, view);
    },
  )
  .post(
    '/',
    doc('Create an assignment source', oneOf(sourceResponse), 201),
    valid('json', sourceCreate),
    async (c) => {
      const body = c.req.valid('json');
      const source = await assignmentSources.create(c, { ...empty, ...body, id: body.name });
      return created(c, 'Assignment source created successfully.', source, view(source));
    },
  )
  .patch(
    '/:id',
    doc('Update some properties of an assignment source', oneOf(sourceResponse)),
    valid('param', idParam),
    valid('json', sourcePatch),
    async (c) => {
      const body = c.req.valid('json');
      const { id } = c.req.valid('param');
      const source = await assignmentSources.change(c, id, 'update', (old) => merge(old, body));
      return single(c, 'Assignment source updated successfully.', source, view(source));
    },
  )
  .route('/', entityRoutes({ collection: assignmentSources, response: sourceResponse, view }));
