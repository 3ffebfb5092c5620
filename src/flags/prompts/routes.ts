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
import { listHandlers, readHandlers } from '../../platform/operations/reading.ts';
import { referencesHandlers } from '../../platform/operations/references.ts';
import { resourceOf } from '../../platform/operations/resource.ts';
import { promptCreate, promptList, promptPatch, promptResponse } from './schema.ts';
import { newPrompt, prompts } from './table.ts';

const resource = resourceOf(prompts, promptResponse);

export const promptRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...listHandlers(resource, promptList))
  .post('/', ...creationHandlers(resource, { body: promptCreate, make: newPrompt }))
  .get('/:id', ...readHandlers(resource))
  .patch('/:id', ...patchHandlers(resource, promptPatch, merge))
  .delete('/:id', ...removalHandlers(resource))
  .get('/:id/references', ...referencesHandlers(resource))
  .get('/:id/versions', ...versionsHandlers(resource))
  .get('/:id/versions/:version', ...versionHandlers(resource))
  .put('/:id/versions/:version/restore', ...restoreHandlers(resource));
