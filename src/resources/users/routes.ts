import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { requires } from '../../http/scope.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { listUsed, patchUsed, readUsed, register, removeUsed } from '../../operations/names.ts';
import { merge, show } from '../../shared/fields.ts';
import { kinds } from '../kinds.ts';
import { type User, usedUser, userCreate, userPatch, userResponse } from './schema.ts';
import { users } from './table.ts';

const shown = {
  kind: users,
  response: userResponse,
  view: (user: User) => show(userResponse, user),
  used: usedUser,
  kinds,
  draft: (email: string) => ({ id: email, email, name: email, role: 'member' as const }),
};

export const userRoutes = new Hono<Service>()
  .use(requires('admin'))
  .get('/', ...listUsed(shown))
  .post('/', ...register(shown, userCreate, ({ email }) => email))
  .get('/:id', ...readUsed(shown))
  .patch('/:id', ...patchUsed(shown, userPatch, merge))
  .delete('/:id', ...removeUsed(shown))
  .get('/:id/versions', ...versions(shown))
  .get('/:id/versions/:version', ...version(shown))
  .put('/:id/versions/:version/restore', ...restore(shown));
