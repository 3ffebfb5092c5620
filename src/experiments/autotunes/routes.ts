import { Hono } from 'hono';
import type { Service } from '../../platform/env.ts';
import { requires } from '../../platform/http/scope.ts';
import {
  change,
  create,
  patch,
  remove,
  replace,
  transition,
} from '../../platform/operations/changing.ts';
import { restore, version, versions } from '../../platform/operations/history.ts';
import { listQuery } from '../../platform/operations/query.ts';
import { listHandlers, read } from '../../platform/operations/reading.ts';
import { references } from '../../platform/operations/references.ts';
import { guardOfRun } from '../starts/earlier_start.ts';
import { newAutotune, patchAutotune, replaceAutotune, viewAutotune } from './autotune.ts';
import { decide, move, moves, start } from './lifecycle.ts';
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
  .post('/', ...create(resource, { body: autotuneCreate, make: newAutotune }))
  .get('/:id', ...read(resource))
  .post('/:id', ...replace(resource, autotuneUpdate, replaceAutotune))
  .patch('/:id', ...patch(resource, autotunePatch, patchAutotune))
  .delete('/:id', ...remove(resource))
  .put(
    '/:id/start',
    ...change(resource, {
      summary: 'Start an autotune',
      action: 'start',
      done: moves.start.done,
      body: startBody,
      guard: guardOfRun('autotune'),
      next: (current, { startTime }, { time }) => start(current, time, startTime),
    }),
  )
  .put(
    '/:id/reset',
    ...transition(resource, {
      action: 'reset',
      summary: 'Reset an autotune to setup',
      done: moves.reset.done,
      next: (current, { time }) => move(current, 'reset', time),
    }),
  )
  .put(
    '/:id/make_decision',
    ...change(resource, {
      summary: 'Decide for a variant of an autotune',
      action: 'make_decision',
      done: 'decided',
      body: decisionBody,
      next: (current, body, { time }) => decide(current, body, time),
    }),
  )
  .get('/:id/references', ...references(resource))
  .get('/:id/versions', ...versions(resource))
  .get('/:id/versions/:version', ...version(resource))
  .put('/:id/versions/:version/restore', ...restore(resource));
