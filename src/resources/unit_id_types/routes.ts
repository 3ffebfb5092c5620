import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { requires } from '../../http/scope.ts';
import { create } from '../../operations/changing.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { listUsed, patchUsed, readUsed, removeUsed } from '../../operations/names.ts';
import { newName } from '../../shared/name_schemas.ts';
import { shownNames } from '../shown_names.ts';
import { unitIDType } from './schema.ts';
import { unitIdTypes } from './table.ts';

const shown = shownNames(unitIdTypes, unitIDType, (name) => newName({ name }));

export const unitIdTypeRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...listUsed(shown))
  .post('/', ...create(shown, { body: unitIDType.create, make: newName }))
  .get('/:id', ...readUsed(shown))
  .patch('/:id', ...patchUsed(shown, unitIDType.patch))
  .delete('/:id', ...removeUsed(shown))
  .get('/:id/versions', ...versions(shown))
  .get('/:id/versions/:version', ...version(shown))
  .put('/:id/versions/:version/restore', ...restore(shown));
