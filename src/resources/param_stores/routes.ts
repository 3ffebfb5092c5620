import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { requires } from '../../http/scope.ts';
import { create, patch, remove, replace } from '../../operations/changing.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { listQuery } from '../../operations/query.ts';
import { list, read } from '../../operations/reading.ts';
import { references } from '../../operations/references.ts';
import { shownBy } from '../../operations/shown.ts';
import { merge } from '../../shared/fields.ts';
import { storeCreate, storePatch, storeResponse, storeUpdate } from './schema.ts';
import { newStore, paramStores, withDefaults } from './table.ts';

const shown = shownBy(paramStores, storeResponse);

export const paramStoreRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...list(shown, listQuery))
  .post(
    '/',
    ...create(shown, {
      body: storeCreate,
      make: newStore,
      status: 200, // as the contract shows it
    }),
  )
  .get('/:id', ...read(shown))
  .post(
    '/:id',
    ...replace(shown, storeUpdate, (current, body) => ({ ...current, ...withDefaults(body) })),
  )
  .patch('/:id', ...patch(shown, storePatch, merge))
  .delete('/:id', ...remove(shown))
  .get('/:id/references', ...references(shown))
  .get('/:id/versions', ...versions(shown))
  .get('/:id/versions/:version', ...version(shown))
  .put('/:id/versions/:version/restore', ...restore(shown));
