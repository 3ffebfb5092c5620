import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { requires } from '../../http/scope.ts';
import { create, patch, remove } from '../../operations/changing.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { listQuery } from '../../operations/query.ts';
import { list, read } from '../../operations/reading.ts';
import { references } from '../../operations/references.ts';
import { shownBy } from '../../operations/shown.ts';
import { merge } from '../../shared/fields.ts';
import {
  assignmentSourceCreate,
  assignmentSourcePatch,
  assignmentSourceResponse,
} from './schema.ts';
import { assignmentSources, newAssignmentSource } from './table.ts';

const shown = shownBy(assignmentSources, assignmentSourceResponse);

export const assignmentSourceRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...list(shown, listQuery))
  .post('/', ...create(shown, { body: assignmentSourceCreate, make: newAssignmentSource }))
  .get('/:id', ...read(shown))
  .patch('/:id', ...patch(shown, assignmentSourcePatch, merge))
  .delete('/:id', ...remove(shown))
  .get('/:id/references', ...references(shown))
  .get('/:id/versions', ...versions(shown))
  .get('/:id/versions/:version', ...version(shown))
  .put('/:id/versions/:version/restore', ...restore(shown));
