import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { requires } from '../../http/scope.ts';
import { create } from '../../operations/changing.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { listUsed, patchUsed, readUsed, removeUsed } from '../../operations/names.ts';
import { newName } from '../../shared/name_schemas.ts';
import { nameResource } from '../name_resource.ts';
import { unitIDType } from './schema.ts';
import { unitIdTypes } from './table.ts';

const resource = nameResource(unitIdTypes, unitIDType, (name) => newName({ name }));

export const unitIdTypeRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...listUsed(resource))
  .post('/', ...create(resource, { body: unitIDType.create, make: newName }))
  .get('/:id', ...readUsed(resource))
  .patch('/:id', ...patchUsed(resource, unitIDType.patch))
  .delete('/:id', ...removeUsed(resource))
  .get('/:id/versions', ...versions(resource))
  .get('/:id/versions/:version', ...version(resource))
  .put('/:id/versions/:version/restore', ...restore(resource));
