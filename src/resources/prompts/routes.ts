import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { requires } from '../../http/scope.ts';
import { create, patch, remove } from '../../operations/changing.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { list, read } from '../../operations/reading.ts';
import { references } from '../../operations/references.ts';
import { resourceOf } from '../../operations/resource.ts';
import { merge } from '../../shared/fields.ts';
import { promptCreate, promptList, promptPatch, promptResponse } from './schema.ts';
import { newPrompt, prompts } from './table.ts';

const resource = resourceOf(prompts, promptResponse);

export const promptRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...list(resource, promptList))
  .post('/', ...create(resource, { body: promptCreate, make: newPrompt }))
  .get('/:id', ...read(resource))
  .patch('/:id', ...patch(resource, promptPatch, merge))
  .delete('/:id', ...remove(resource))
  .get('/:id/references', ...references(resource))
  .get('/:id/versions', ...versions(resource))
  .get('/:id/versions/:version', ...version(resource))
  .put('/:id/versions/:version/restore', ...restore(resource));
