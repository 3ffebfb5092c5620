import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { requires } from '../../http/scope.ts';
import { create, patch, remove } from '../../operations/changing.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { listQuery } from '../../operations/query.ts';
import { list, read } from '../../operations/reading.ts';
import { references } from '../../operations/references.ts';
import { resourceOf } from '../../operations/resource.ts';
import { merge } from '../../shared/fields.ts';
import {
  assignmentSourceCreate,
  assignmentSourcePatch,
  assignmentSourceResponse,
} from './schema.ts';
import { assignmentSources, newAssignmentSource } from './table.ts';

const resource = resourceOf(assignmentSources, assignmentSourceResponse);

export const assignmentSourceRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...list(resource, listQuery))
  .post('/', ...create(resource, { body: assignmentSourceCreate, make: newAssignmentSource }))
  .get('/:id', ...read(resource))
  .patch('/:id', ...patch(resource, assignmentSourcePatch, merge))
  .delete('/:id', ...remove(resource))
  .get('/:id/references', ...references(resource))
  .get('/:id/versions', ...versions(resource))
  .get('/:id/versions/:version', ...version(resource))
  .put('/:id/versions/:version/restore', ...restore(resource));
