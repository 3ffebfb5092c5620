import { Hono } from 'hono';
import { merge } from '../../base/fields.ts';
import type { Service } from '../../platform/env.ts';
import { requires } from '../../platform/http/scope.ts';
import { create, patch, remove, replace } from '../../platform/operations/changing.ts';
import { restore, version, versions } from '../../platform/operations/history.ts';
import { listQuery } from '../../platform/operations/query.ts';
import { listHandlers, read } from '../../platform/operations/reading.ts';
import { references } from '../../platform/operations/references.ts';
import { resourceOf } from '../../platform/operations/resource.ts';
import { storeCreate, storePatch, storeResponse, storeUpdate } from './schema.ts';
import { newStore, paramStores, withDefaults } from './table.ts';

const resource = resourceOf(paramStores, storeResponse);

export const paramStoreRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...listHandlers(resource, listQuery))
  .post(
    '/',
    ...create(resource, {
      body: storeCreate,
      make: newStore,
      status: 200, // as the contract shows it
    }),
  )
  .get('/:id', ...read(resource))
  .post(
    '/:id',
    ...replace(resource, storeUpdate, (current, body) => ({ ...current, ...withDefaults(body) })),
  )
  .patch('/:id', ...patch(resource, storePatch, merge))
  .delete('/:id', ...remove(resource))
  .get('/:id/references', ...references(resource))
  .get('/:id/versions', ...versions(resource))
  .get('/:id/versions/:version', ...version(resource))
  .put('/:id/versions/:version/restore', ...restore(resource));
