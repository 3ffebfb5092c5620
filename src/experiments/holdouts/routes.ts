import { Hono } from 'hono';
import { merge } from '../../base/fields.ts';
import {
  editOverrides,
  removeOverrides,
  unitOverrides,
} from '../../flags/rules/override_handlers.ts';
import type { Service } from '../../platform/env.ts';
import { requires } from '../../platform/http/scope.ts';
import { create, patch, remove, replace } from '../../platform/operations/changing.ts';
import { restore, version, versions } from '../../platform/operations/history.ts';
import { listHandlers, read } from '../../platform/operations/reading.ts';
import { references } from '../../platform/operations/references.ts';
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
  .post('/', ...create(resource, { body: holdoutCreate, make: newHoldout }))
  .get('/:id', ...read(resource))
  .post('/:id', ...replace(resource, holdoutUpdate, merge)) // unlike other full updates, it keeps absent properties
  .patch('/:id', ...patch(resource, holdoutPatch, merge))
  .delete('/:id', ...remove(resource))
  .get('/:id/references', ...references(resource))
  .get('/:id/overrides', ...read(overrides, 'overrides'))
  .post('/:id/overrides', ...editOverrides(overrides, 'replace'))
  .patch('/:id/overrides', ...editOverrides(overrides, 'add'))
  .delete('/:id/overrides', ...removeOverrides(overrides))
  .get('/:id/versions', ...versions(resource))
  .get('/:id/versions/:version', ...version(resource))
  .put('/:id/versions/:version/restore', ...restore(resource));
