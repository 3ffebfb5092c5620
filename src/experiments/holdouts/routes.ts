import { Hono } from 'hono';
import { merge } from '../../base/fields.ts';
import {
  editOverrides,
  removeOverrides,
  unitOverrides,
} from '../../flags/rules/override_handlers.ts';
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
import { listHandlers, readHandlers } from '../../platform/operations/reading.ts';
import { referencesHandlers } from '../../platform/operations/references.ts';
import { resourceOf } from '../../platform/operations/resource.ts';
import {
  holdoutCreate,
  holdoutList,
  holdoutPatch,
  holdoutResponse,
  holdoutUpdate,
} from './schema.ts';
import { holdouts, newHoldout } from './table.ts';

const overrides = unitOverrides(holdouts);
const resource = resourceOf(holdouts, holdoutResponse);

export const holdoutRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...listHandlers(resource, holdoutList))
  .post('/', ...creationHandlers(resource, { body: holdoutCreate, make: newHoldout }))
  .get('/:id', ...readHandlers(resource))
  .post('/:id', ...replaceHandlers(resource, holdoutUpdate, merge)) // unlike other full updates, it keeps absent properties
  .patch('/:id', ...patchHandlers(resource, holdoutPatch, merge))
  .delete('/:id', ...removalHandlers(resource))
  .get('/:id/references', ...referencesHandlers(resource))
  .get('/:id/overrides', ...readHandlers(overrides, 'overrides'))
  .post('/:id/overrides', ...editOverrides(overrides, 'replace'))
  .patch('/:id/overrides', ...editOverrides(overrides, 'add'))
  .delete('/:id/overrides', ...removeOverrides(overrides))
  .get('/:id/versions', ...versionsHandlers(resource))
  .get('/:id/versions/:version', ...versionHandlers(resource))
  .put('/:id/versions/:version/restore', ...restoreHandlers(resource));
