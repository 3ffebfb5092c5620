import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { requires } from '../../http/scope.ts';
import { create, patch, remove } from '../../operations/changing.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { list, read } from '../../operations/reading.ts';
import { references } from '../../operations/references.ts';
import { merge, newID, show } from '../../shared/fields.ts';
import { type Prompt, promptCreate, promptList, promptPatch, promptResponse } from './schema.ts';
import { prompts } from './table.ts';

const view = (prompt: Prompt) => show(promptResponse, prompt);
const shown = { kind: prompts, response: promptResponse, view };

const empty = {
  description: '',
  idType: 'userID',
  targetApps: [],
  holdoutIDs: [],
  tags: [],
  team: '',
  teamID: '',
};

export const promptRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...list(shown, promptList, ({ teamID }) => ({ columns: { teamID } })))
  .post(
    '/',
    ...create(shown, {
      body: promptCreate,
      make: (body) => ({ ...empty, ...body, id: newID(body.id, body.name) }),
    }),
  )
  .get('/:id', ...read(shown))
  .patch('/:id', ...patch(shown, promptPatch, merge))
  .delete('/:id', ...remove(shown))
  .get('/:id/references', ...references(shown))
  .get('/:id/versions', ...versions(shown))
  .get('/:id/versions/:version', ...version(shown))
  .put('/:id/versions/:version/restore', ...restore(shown));
