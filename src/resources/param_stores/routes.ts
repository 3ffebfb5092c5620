import { Hono } from 'hono';
import type * as z from 'zod';
import type { Resource } from '../../env.ts';
import { idParam, newID, show } from '../../fields.ts';
import { commonFilters, listQuery } from '../../filters.ts';
import { entityRoutes } from '../../http/entity.ts';
import { listing, listOf, oneOf, single } from '../../http/envelope.ts';
import { doc, valid } from '../../http/valid.ts';
import { type ParamStore, storeCreate, storeResponse, storeUpdate } from './schema.ts';
import { paramStores } from './table.ts';

const store = oneOf(storeResponse);
const view = (entity: ParamStore) => show(storeResponse, entity);

/** The whole of a body, with what it leaves out. */
const complete = (body: z.infer<typeof storeUpdate>) => ({
  targetAppIDs: [],
  tags: [],
  team: '',
  parameters: [],
  ...body,
});

export const paramStoreRoutes = new Hono<Resource>()
  .get(
    '/',
    doc('List param stores', listOf(storeResponse)),
    valid('query', listQuery),
    async (c) => {
      const query = c.req.valid('query');
      const filters = commonFilters(paramStores, query);
      const page = await paramStores.list(c, { page: query, filters });
      return listing(c, 'Param stores listed successfully.', page, view);
    },
  )
  .post('/', doc('Create a param store', store), valid('json', storeCreate), async (c) => {
    const body = c.req.valid('json');
    const id = newID(body.id, body.name);
    const entity = await paramStores.create(c, { ...complete(body), id });
    c.header('Location', `${c.req.path}/${encodeURIComponent(id)}`);
    return single(c, 'Param store created successfully.', entity, view(entity));
  })
  .post(
    '/:id',
    doc('Replace all properties of a param store', store),
    valid('param', idParam),
    valid('json', storeUpdate),
    async (c) => {
      const body = c.req.valid('json');
      const { id } = c.req.valid('param');
      const next = (current: ParamStore) => ({ ...current, ...complete(body) });
      const entity = await paramStores.change(c, id, 'update', next);
      return single(c, 'Param store updated successfully.', entity, view(entity));
    },
  )
  .route('/', entityRoutes({ collection: paramStores, response: storeResponse, view }));
