import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { requires } from '../../http/scope.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { listUsed, patchUsed, readUsed, register, removeUsed } from '../../operations/names.ts';
import { merge, show } from '../../shared/fields.ts';
import { kinds } from '../kinds.ts';
import { type Tag, tagCreate, tagPatch, tagResponse, usedTag } from './schema.ts';
import { tags } from './table.ts';

const shown = {
  kind: tags,
  response: tagResponse,
  view: (tag: Tag) => show(tagResponse, tag),
  used: usedTag,
  kinds,
  draft: (name: string) => ({ id: name, name, description: '', isCore: false }),
};

export const tagRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...listUsed(shown))
  .post('/', ...register(shown, tagCreate, ({ name }) => name))
  .get('/:id', ...readUsed(shown))
  .patch('/:id', ...patchUsed(shown, tagPatch, merge))
  .delete('/:id', ...removeUsed(shown))
  .get('/:id/versions', ...versions(shown))
  .get('/:id/versions/:version', ...version(shown))
  .put('/:id/versions/:version/restore', ...restore(shown));
