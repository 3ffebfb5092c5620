import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { requires } from '../../http/scope.ts';
import { change, create, patch, remove, replace, transition } from '../../operations/changing.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { listQuery } from '../../operations/query.ts';
import { list, read } from '../../operations/reading.ts';
import { references } from '../../operations/references.ts';
import { newAutotune, patchAutotune, replaceAutotune, viewAutotune } from './autotune.ts';
import { decide, move, moves } from './lifecycle.ts';
import {
  autotuneCreate,
  autotunePatch,
  autotuneResponse,
  autotuneUpdate,
  decisionBody,
} from './schema.ts';
import { autotunes } from './table.ts';

const shown = { kind: autotunes, response: autotuneResponse, view: viewAutotune };

const moving = (action: 'start' | 'reset', summary: string) =>
  transition(shown, {
    action,
    summary,
    done: moves[action].done,
    next: (current, { time }) => move(current, action, time),
  });

export const autotuneRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...list(shown, listQuery))
  .post('/', ...create(shown, { body: autotuneCreate, make: newAutotune }))
  .get('/:id', ...read(shown))
  .post('/:id', ...replace(shown, autotuneUpdate, replaceAutotune))
  .patch('/:id', ...patch(shown, autotunePatch, patchAutotune))
  .delete('/:id', ...remove(shown))
  .put('/:id/start', ...moving('start', 'Start an autotune'))
  .put('/:id/reset', ...moving('reset', 'Reset an autotune to setup'))
  .put(
    '/:id/make_decision',
    ...change(shown, {
      summary: 'Decide for a variant of an autotune',
      action: 'make_decision',
      done: 'decided',
      body: decisionBody,
      next: (current, body, { time }) => decide(current, body, time),
    }),
  )
  .get('/:id/references', ...references(shown))
  .get('/:id/versions', ...versions(shown))
  .get('/:id/versions/:version', ...version(shown))
  .put('/:id/versions/:version/restore', ...restore(shown));
