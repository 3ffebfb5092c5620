import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { requires } from '../../http/scope.ts';
import { create } from '../../operations/changing.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { listUsed, patchUsed, readUsed, removeUsed } from '../../operations/names.ts';
import { nameResource } from '../name_resource.ts';
import { usedUser, userCreate, userPatch, userResponse } from './schema.ts';
import { newUser, patchUser, users } from './table.ts';

const resource = nameResource(users, { response: userResponse, used: usedUser }, (email) =>
  newUser({ email }),
);

export const userRoutes = new Hono<Service>()
  .use(requires('admin'))
  .get('/', ...listUsed(resource))
  .post('/', ...create(resource, { body: userCreate, make: newUser }))
  .get('/:id', ...readUsed(resource))
  .patch('/:id', ...patchUsed(resource, userPatch, patchUser))
  .delete('/:id', ...removeUsed(resource))
  .get('/:id/versions', ...versions(resource))
  .get('/:id/versions/:version', ...version(resource))
  .put('/:id/versions/:version/restore', ...restore(resource));
