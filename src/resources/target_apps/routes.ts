import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { requires } from '../../http/scope.ts';
import { create } from '../../operations/changing.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { listUsed, patchUsed, readUsed, removeUsed } from '../../operations/names.ts';
import { newName } from '../../shared/name_schemas.ts';
import { nameResource } from '../name_resource.ts';
import { targetApp } from './schema.ts';
import { targetApps } from './table.ts';

const resource = nameResource(targetApps, targetApp, (name) => newName({ name }));

export const targetAppRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...listUsed(resource))
  .post('/', ...create(resource, { body: targetApp.create, make: newName }))
  .get('/:id', ...readUsed(resource))
  .patch('/:id', ...patchUsed(resource, targetApp.patch))
  .delete('/:id', ...removeUsed(resource))
  .get('/:id/versions', ...versions(resource))
  .get('/:id/versions/:version', ...version(resource))
  .put('/:id/versions/:version/restore', ...restore(resource));
