import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { requires } from '../../http/scope.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { listUsed, patchUsed, readUsed, register, removeUsed } from '../../operations/names.ts';
import { merge, show } from '../../shared/fields.ts';
import { kinds } from '../kinds.ts';
import { type Team, teamCreate, teamPatch, teamResponse, usedTeam } from './schema.ts';
import { teams } from './table.ts';

const shown = {
  kind: teams,
  response: teamResponse,
  view: (team: Team) => show(teamResponse, team),
  used: usedTeam,
  kinds,
  draft: (name: string) => ({ id: name, name, description: '' }),
};

export const teamRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...listUsed(shown))
  .post('/', ...register(shown, teamCreate, ({ name }) => name))
  .get('/:id', ...readUsed(shown))
  .patch('/:id', ...patchUsed(shown, teamPatch, merge))
  .delete('/:id', ...removeUsed(shown))
  .get('/:id/versions', ...versions(shown))
  .get('/:id/versions/:version', ...version(shown))
  .put('/:id/versions/:version/restore', ...restore(shown));
