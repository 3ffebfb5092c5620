import { Hono } from 'hono';
import { idParam } from '../../base/ids.ts';
import { sha256 } from '../../base/sha256.ts';
import type { Service } from '../../platform/env.ts';
import { ifMatch } from '../../platform/http/conditional.ts';
import { created, oneOf, single } from '../../platform/http/envelope.ts';
import { requires } from '../../platform/http/scope.ts';
import { changeMessage } from '../../platform/http/success.ts';
import { transact } from '../../platform/http/transact.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import { patch, remove, transition } from '../../platform/operations/changing.ts';
import { restore, version, versions } from '../../platform/operations/history.ts';
import { listQuery } from '../../platform/operations/query.ts';
import { listHandlers, read } from '../../platform/operations/reading.ts';
import { resourceOf, successOf } from '../../platform/operations/resource.ts';
import * as entities from '../../platform/store/entities/entities.ts';
import { newKey, patchKey, randomKey } from './key.ts';
import { keyCreate, keyPatch, keyResponse, newKeyResponse } from './schema.ts';
import { keys } from './table.ts';

const resource = resourceOf(keys, keyResponse);

export const keyRoutes = new Hono<Service>()
  .use(requires('admin'))
  .get('/', ...listHandlers(resource, listQuery))
  .post(
    '/',
    doc(
      'Create an API key, which is only shown once',
      successOf(keys, 'created'),
      oneOf(newKeyResponse),
      { status: 201, isUnversioned: true },
    ),
    valid('json', keyCreate),
    (c) =>
      transact(c, async (tx) => {
        const given = newKey(c.req.valid('json'));
        const secret = randomKey(given.type);
        const draft = { ...given, id: crypto.randomUUID(), hash: sha256(secret) };
        const key = await entities.create(tx, keys, draft.id, () => draft);
        return created(c, changeMessage(c, tx), key, { ...resource.view(key), key: secret });
      }),
  )
  .get('/:id', ...read(resource))
  .patch('/:id', ...patch(resource, keyPatch, patchKey))
  .delete('/:id', ...remove(resource))
  .patch(
    '/:id/rotate',
    doc(
      'Replace an API key by a new one, which is only shown once',
      successOf(keys, 'rotated'),
      oneOf(newKeyResponse),
    ),
    valid('param', idParam),
    (c) =>
      transact(c, async (tx) => {
        const step: entities.StagedStep = { action: 'rotate', ifMatch: ifMatch(c) };
        const { id } = c.req.valid('param');
        const { type } = await entities.get(tx, keys, id);
        const secret = randomKey(type);
        const hash = sha256(secret);
        const key = await entities.change(tx, keys, id, step, (old) => ({ ...old, hash }));
        return single(c, changeMessage(c, tx), key, { ...resource.view(key), key: secret });
      }),
  )
  .patch(
    '/:id/deactivate',
    ...transition(resource, {
      action: 'deactivate',
      summary: 'Deactivate an API key',
      done: 'deactivated',
      next: (key) => ({ ...key, isActive: false }),
    }),
  )
  .get('/:id/versions', ...versions(resource))
  .get('/:id/versions/:version', ...version(resource))
  .put('/:id/versions/:version/restore', ...restore(resource));
