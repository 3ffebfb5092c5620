import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { requires } from '../../http/scope.ts';
import { create } from '../../operations/changing.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { listUsed, patchUsed, readUsed, removeUsed } from '../../operations/names.ts';
import { nameResource } from '../name_resource.ts';
import { tagCreate, tagPatch, tagResponse, usedTag } from './schema.ts';
import { newTag, tags } from './table.ts';

const resource = nameResource(tags, { response: tagResponse, used: usedTag }, (name) =>
  newTag({ name }),
);

export const tagRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...listUsed(resource))
  .post('/', ...create(resource, { body: tagCreate, make: newTag }))
  .get('/:id', ...readUsed(resource))
  .patch('/:id', ...patchUsed(resource, tagPatch))
  .delete('/:id', ...removeUsed(resource))
  .get('/:id/versions', ...versions(resource))
  .get('/:id/versions/:version', ...version(resource))
  .put('/:id/versions/:version/restore', ...restore(resource));
