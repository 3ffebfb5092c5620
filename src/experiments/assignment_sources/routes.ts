import { Hono } from 'hono';
import { merge } from '../../base/fields.ts';
import type { Service } from '../../platform/env.ts';
import { requires } from '../../platform/http/scope.ts';
import { create, patch, remove } from '../../platform/operations/changing.ts';
import { restore, version, versions } from '../../platform/operations/history.ts';
import { listQuery } from '../../platform/operations/query.ts';
import { listHandlers, read } from '../../platform/operations/reading.ts';
import { references } from '../../platform/operations/references.ts';
import { resourceOf } from '../../platform/operations/resource.ts';
import {
  assignmentSourceCreate,
  assignmentSourcePatch,
  assignmentSourceResponse,
} from './schema.ts';
import { assignmentSources, newAssignmentSource } from './table.ts';

const resource = resourceOf(assignmentSources, assignmentSourceResponse);

export const assignmentSourceRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...listHandlers(resource, listQuery))
  .post('/', ...create(resource, { body: assignmentSourceCreate, make: newAssignmentSource }))
  .get('/:id', ...read(resource))
  .patch('/:id', ...patch(resource, assignmentSourcePatch, merge))
  .delete('/:id', ...remove(resource))
  .get('/:id/references', ...references(resource))
  .get('/:id/versions', ...versions(resource))
  .get('/:id/versions/:version', ...version(resource))
  .put('/:id/versions/:version/restore', ...restore(resource));
