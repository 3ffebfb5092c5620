import type * as z from 'zod';
import { createRoute, replaceRoute } from '../../operations/changing.ts';
import { entityRoutes } from '../../operations/history.ts';
import { listRoute } from '../../operations/reading.ts';
import { combine } from '../../operations/shown.ts';
import { newID, show } from '../../shared/fields.ts';
import { listQuery } from '../../shared/filters.ts';
import { type ParamStore, storeCreate, storeResponse, storeUpdate } from './schema.ts';
import { paramStores } from './table.ts';

const view = (entity: ParamStore) => show(storeResponse, entity);
const shown = { collection: paramStores, response: storeResponse, view };

/** The whole of a body, with what it leaves out. */
const complete = (body: z.infer<typeof storeUpdate>) => ({
  targetAppIDs: [],
  tags: [],
  team: '',
  parameters: [],
  ...body,
});

export const paramStoreRoutes = combine(
  listRoute(shown, listQuery),
  createRoute(shown, {
    body: storeCreate,
    make: (body) => ({ ...complete(body), id: newID(body.id, body.name) }),
    status: 200, // as the contract shows it
  }),
  replaceRoute(shown, storeUpdate, (current, body) => ({ ...current, ...complete(body) })),
  entityRoutes(shown),
);
