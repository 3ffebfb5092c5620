import { Hono } from 'hono';
import { merge } from '../../base/fields.ts';
import type { Service } from '../../platform/env.ts';
import { requires } from '../../platform/http/scope.ts';
import {
  creationHandlers,
  patchHandlers,
  removalHandlers,
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
  .post(
    '/',
    ...creationHandlers(resource, { body: assignmentSourceCreate, make: newAssignmentSource }),
  )
  .get('/:id', ...readHandlers(resource))
  .patch('/:id', ...patchHandlers(resource, assignmentSourcePatch, merge))
  .delete('/:id', ...removalHandlers(resource))
  .get('/:id/references', ...referencesHandlers(resource))
  .get('/:id/versions', ...versionsHandlers(resource))
  .get('/:id/versions/:version', ...versionHandlers(resource))
  .put('/:id/versions/:version/restore', ...restoreHandlers(resource));
