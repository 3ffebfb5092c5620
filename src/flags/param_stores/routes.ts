import { Hono } from 'hono';
import { merge } from '../../base/fields.ts';
import type { Service } from '../../platform/env.ts';
import { requires } from '../../platform/http/scope.ts';
import {
  creationHandlers,
  patchHandlers,
  removalHandlers,
  replaceHandlers,
} from '../../platform/operations/changing.ts';
import {
  restoreHandlers,
  versionHandlers,
  versionsHandlers,
} from '../../platform/operations/history.ts';
import { listQuery } from '../../platform/operations/query.ts';
import { listHandlers, readHandlers } from '../../platform/operations/reading.ts';
import { referencesHandlers } from '../../platform/operations/references.ts';
import { resourceOf } from '../../platform/operations/resource.ts';
import { storeCreate, storePatch, storeResponse, storeUpdate } from './schema.ts';
import { newStore, paramStores, withStoreDefaults } from './table.ts';

const resource = resourceOf(paramStores, storeResponse);

export const paramStoreRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...listHandlers(resource, listQuery))
  .post(
    '/',
    ...creationHandlers(resource, {
      body: storeCreate,
      make: newStore,
      status: 200, // as the contract shows it
    }),
  )
  .get('/:id', ...readHandlers(resource))
  .post(
    '/:id',
    ...replaceHandlers(resource, storeUpdate, (current, body) => ({
      ...current,
      ...withStoreDefaults(body),
    })),
  )
  .patch('/:id', ...patchHandlers(resource, storePatch, merge))
  .delete('/:id', ...removalHandlers(resource))
  .get('/:id/references', ...referencesHandlers(resource))
  .get('/:id/versions', ...versionsHandlers(resource))
  .get('/:id/versions/:version', ...versionHandlers(resource))
  .put('/:id/versions/:version/restore', ...restoreHandlers(resource));
