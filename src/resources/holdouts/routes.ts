import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { requires } from '../../http/scope.ts';
import { create, patch, remove, replace } from '../../operations/changing.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { editOverrides, removeOverrides, unitOverrides } from '../../operations/overrides.ts';
import { list, read } from '../../operations/reading.ts';
import { references } from '../../operations/references.ts';
import { shownBy } from '../../operations/shown.ts';
import { merge } from '../../shared/fields.ts';
import {
  holdoutCreate,
  holdoutList,
  holdoutPatch,
  holdoutResponse,
  holdoutUpdate,
} from './schema.ts';
import { holdouts, newHoldout } from './table.ts';

const shownOverrides = unitOverrides(holdouts);
const shown = shownBy(holdouts, holdoutResponse);

export const holdoutRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...list(shown, holdoutList))
  .post('/', ...create(shown, { body: holdoutCreate, make: newHoldout }))
  .get('/:id', ...read(shown))
  .post('/:id', ...replace(shown, holdoutUpdate, merge)) // what it does not name stays as it is
  .patch('/:id', ...patch(shown, holdoutPatch, merge))
  .delete('/:id', ...remove(shown))
  .get('/:id/references', ...references(shown))
  .get('/:id/overrides', ...read(shownOverrides, 'overrides'))
  .post('/:id/overrides', ...editOverrides(shownOverrides, 'replace'))
  .patch('/:id/overrides', ...editOverrides(shownOverrides, 'add'))
  .delete('/:id/overrides', ...removeOverrides(shownOverrides))
  .get('/:id/versions', ...versions(shown))
  .get('/:id/versions/:version', ...version(shown))
  .put('/:id/versions/:version/restore', ...restore(shown));
