import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { requires } from '../../http/scope.ts';
import { create, patch, remove } from '../../operations/changing.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { list, read } from '../../operations/reading.ts';
import { references } from '../../operations/references.ts';
import { shownBy } from '../../operations/shown.ts';
import { merge } from '../../shared/fields.ts';
import { promptCreate, promptList, promptPatch, promptResponse } from './schema.ts';
import { newPrompt, prompts } from './table.ts';

const shown = shownBy(prompts, promptResponse);

export const promptRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...list(shown, promptList))
  .post('/', ...create(shown, { body: promptCreate, make: newPrompt }))
  .get('/:id', ...read(shown))
  .patch('/:id', ...patch(shown, promptPatch, merge))
  .delete('/:id', ...remove(shown))
  .get('/:id/references', ...references(shown))
  .get('/:id/versions', ...versions(shown))
  .get('/:id/versions/:version', ...version(shown))
  .put('/:id/versions/:version/restore', ...restore(shown));
