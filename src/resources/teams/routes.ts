import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { requires } from '../../http/scope.ts';
import { create } from '../../operations/changing.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { listUsed, patchUsed, readUsed, removeUsed } from '../../operations/names.ts';
import { newName } from '../../shared/name_schemas.ts';
import { shownNames } from '../shown_names.ts';
import { team } from './schema.ts';
import { teams } from './table.ts';

const shown = shownNames(teams, team, (name) => newName({ name }));

export const teamRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...listUsed(shown))
  .post('/', ...create(shown, { body: team.create, make: newName }))
  .get('/:id', ...readUsed(shown))
  .patch('/:id', ...patchUsed(shown, team.patch))
  .delete('/:id', ...removeUsed(shown))
  .get('/:id/versions', ...versions(shown))
  .get('/:id/versions/:version', ...version(shown))
  .put('/:id/versions/:version/restore', ...restore(shown));
