import { eq } from 'drizzle-orm';
import { Hono } from 'hono';
import type * as z from 'zod';
import type { Resource } from '../../env.ts';
import { idParam, merge } from '../../fields.ts';
import { commonFilters } from '../../filters.ts';
import { entityRoutes } from '../../http/entity.ts';
import { created, listing, listOf, oneOf, single } from '../../http/envelope.ts';
import { doc, valid } from '../../http/valid.ts';
import { newHoldout, replaceHoldout, viewHoldout } from './holdout.ts';
import {
  holdoutCreate,
  holdoutList,
  holdoutPatch,
  holdoutResponse,
  holdoutUpdate,
} from './schema.ts';
import { holdouts, holdoutTable } from './table.ts';

const holdout = oneOf(holdoutResponse);

const filters = (query: z.infer<typeof holdoutList>) => [
  ...commonFilters(holdouts, query),
  query.isGlobal === undefined ? undefined : eq(holdoutTable.isGlobal, Number(query.isGlobal)),
];

export const holdoutRoutes = new Hono<Resource>()
  .get(
    '/',
    doc('List holdouts', listOf(holdoutResponse)),
    valid('query', holdoutList),
    async (c) => {
      const query = c.req.valid('query');
      const page = await holdouts.list(c, { page: query, filters: filters(query) });
      return listing(c, 'Holdouts listed successfully.', page, viewHoldout);
    },
  )
  .post('/', doc('Create a holdout', holdout, 201), valid('json', holdoutCreate), async (c) => {
    const entity = await holdouts.create(c, newHoldout(c.req.valid('json')));
    return created(c, 'Holdout created successfully.', entity, viewHoldout(entity));
  })
  .post(
    '/:id',
    doc('Replace the settings and members of a holdout', holdout),
    valid('param', idParam),
    valid('json', holdoutUpdate),
    async (c) => {
      const body = c.req.valid('json');
      const { id } = c.req.valid('param');
      const entity = await holdouts.change(c, id, 'update', (old) => replaceHoldout(old, body));
      return single(c, 'Holdout updated successfully.', entity, viewHoldout(entity));
    },
  )
  .patch(
    '/:id',
    doc('Update some properties of a holdout', holdout),
    valid('param', idParam),
    valid('json', holdoutPatch),
    async (c) => {
      const body = c.req.valid('json');
      const { id } = c.req.valid('param');
      const entity = await holdouts.change(c, id, 'update', (old) => merge(old, body));
      return single(c, 'Holdout updated successfully.', entity, viewHoldout(entity));
    },
  )
  .route('/', entityRoutes({ collection: holdouts, response: holdoutResponse, view: viewHoldout }));
