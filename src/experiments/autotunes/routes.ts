import { Hono } from 'hono';
import type { Service } from '../../platform/env.ts';
import { requires } from '../../platform/http/scope.ts';
import {
  changeHandlers,
  creationHandlers,
  patchHandlers,
  removalHandlers,
  replaceHandlers,
  transitionHandlers,
} from '../../platform/operations/changing.ts';
import {
  restoreHandlers,
  versionHandlers,
  versionsHandlers,
} from '../../platform/operations/history.ts';
import { listQuery } from '../../platform/operations/query.ts';
import { listHandlers, readHandlers } from '../../platform/operations/reading.ts';
import { referencesHandlers } from '../../platform/operations/references.ts';
import { guardOfRun } from '../starts/earlier_start.ts';
import { newAutotune, patchAutotune, replaceAutotune, viewAutotune } from './autotune.ts';
import { decideAutotune, moveAutotune, moves, startAutotune } from './lifecycle.ts';
import {
  autotuneCreate,
  autotunePatch,
  autotuneResponse,
  autotuneUpdate,
  decisionBody,
  startBody,
} from './schema.ts';
import { autotunes } from './table.ts';

const resource = { kind: autotunes, response: autotuneResponse, view: viewAutotune };

export const autotuneRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...listHandlers(resource, listQuery))
  .post('/', ...creationHandlers(resource, { body: autotuneCreate, make: newAutotune }))
  .get('/:id', ...readHandlers(resource))
  .post('/:id', ...replaceHandlers(resource, autotuneUpdate, replaceAutotune))
  .patch('/:id', ...patchHandlers(resource, autotunePatch, patchAutotune))
  .delete('/:id', ...removalHandlers(resource))
  .put(
    '/:id/start',
    ...changeHandlers(resource, {
      summary: 'Start an autotune',
      action: 'start',
      done: moves.start.done,
      body: startBody,
      guard: guardOfRun('autotune'),
      next: (current, { startTime }, { time }) => startAutotune(current, time, startTime),
    }),
  )
  .put(
    '/:id/reset',
    ...transitionHandlers(resource, {
      action: 'reset',
      summary: 'Reset an autotune to setup',
      done: moves.reset.done,
      next: (current, { time }) => moveAutotune(current, 'reset', time),
    }),
  )
  .put(
    '/:id/make_decision',
    ...changeHandlers(resource, {
      summary: 'Decide for a variant of an autotune',
      action: 'make_decision',
      done: 'decided',
      body: decisionBody,
      next: (current, body, { time }) => decideAutotune(current, body, time),
    }),
  )
  .get('/:id/references', ...referencesHandlers(resource))
  .get('/:id/versions', ...versionsHandlers(resource))
  .get('/:id/versions/:version', ...versionHandlers(resource))
  .put('/:id/versions/:version/restore', ...restoreHandlers(resource));
