import { Hono } from 'hono';
import { idParam } from '../../base/ids.ts';
import { sha256Hex } from '../../base/sha256.ts';
import type { Service } from '../../platform/env.ts';
import { ifMatch } from '../../platform/http/conditional.ts';
import { dataEnvelope, respondCreated, single } from '../../platform/http/envelope.ts';
import { requires } from '../../platform/http/scope.ts';
import { changeMessage } from '../../platform/http/success.ts';
import { transact } from '../../platform/http/transact.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import {
  patchHandlers,
  removalHandlers,
  transitionHandlers,
} from '../../platform/operations/changing.ts';
import {
  restoreHandlers,
  versionHandlers,
  versionsHandlers,
} from '../../platform/operations/history.ts';
import { listQuery } from '../../platform/operations/query.ts';
import { listHandlers, readHandlers } from '../../platform/operations/reading.ts';
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
      dataEnvelope(newKeyResponse),
      { status: 201, isUnversioned: true },
    ),
    valid('json', keyCreate),
    (c) =>
      transact(c, async (tx) => {
        const given = newKey(c.req.valid('json'));
        const secret = randomKey(given.type);
        const draft = { ...given, id: crypto.randomUUID(), hash: sha256Hex(secret) };
        const key = await entities.createEntity(tx, keys, draft.id, () => draft);
        return respondCreated(c, changeMessage(c, tx), key, { ...resource.view(key), key: secret });
      }),
  )
  .get('/:id', ...readHandlers(resource))
  .patch('/:id', ...patchHandlers(resource, keyPatch, patchKey))
  .delete('/:id', ...removalHandlers(resource))
  .patch(
    '/:id/rotate',
    doc(
      'Replace an API key by a new one, which is only shown once',
      successOf(keys, 'rotated'),
      dataEnvelope(newKeyResponse),
    ),
    valid('param', idParam),
    (c) =>
      transact(c, async (tx) => {
        const step: entities.StagedStep = { action: 'rotate', ifMatch: ifMatch(c) };
        const { id } = c.req.valid('param');
        const { type } = await entities.readEntity(tx, keys, id);
        const secret = randomKey(type);
        const hash = sha256Hex(secret);
        const key = await entities.changeEntity(tx, keys, id, step, (old) => ({ ...old, hash }));
        return single(c, changeMessage(c, tx), key, { ...resource.view(key), key: secret });
      }),
  )
  .patch(
    '/:id/deactivate',
    ...transitionHandlers(resource, {
      action: 'deactivate',
      summary: 'Deactivate an API key',
      done: 'deactivated',
      next: (key) => ({ ...key, isActive: false }),
    }),
  )
  .get('/:id/versions', ...versionsHandlers(resource))
  .get('/:id/versions/:version', ...versionHandlers(resource))
  .put('/:id/versions/:version/restore', ...restoreHandlers(resource));
