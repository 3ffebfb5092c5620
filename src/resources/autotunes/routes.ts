import {
  changeRoute,
  createRoute,
  patchRoute,
  replaceRoute,
  transitionRoutes,
} from '../../operations/changing.ts';
import { entityRoutes } from '../../operations/history.ts';
import { listRoute } from '../../operations/reading.ts';
import { combine } from '../../operations/shown.ts';
import { listQuery } from '../../shared/filters.ts';
import { newAutotune, patchAutotune, replaceAutotune, viewAutotune } from './autotune.ts';
import { decide, move } from './lifecycle.ts';
import {
  autotuneCreate,
  autotunePatch,
  autotuneResponse,
  autotuneUpdate,
  decisionBody,
} from './schema.ts';
import { autotunes } from './table.ts';

const shown = { collection: autotunes, response: autotuneResponse, view: viewAutotune };

export const autotuneRoutes = combine(
  listRoute(shown, listQuery),
  createRoute(shown, { body: autotuneCreate, make: newAutotune }),
  replaceRoute(shown, autotuneUpdate, replaceAutotune),
  patchRoute(shown, autotunePatch, patchAutotune),
  transitionRoutes(shown, [
    {
      name: 'start',
      summary: 'Start an autotune',
      done: 'started',
      next: (current, { time }) => move(current, 'start', time),
    },
    {
      name: 'reset',
      summary: 'Reset an autotune to setup',
      done: 'reset',
      next: (current, { time }) => move(current, 'reset', time),
    },
  ]),
  changeRoute(shown, {
    method: 'PUT',
    path: '/make_decision',
    summary: 'Decide for a variant of an autotune',
    action: 'make_decision',
    done: 'decided',
    body: decisionBody,
    next: (current, body, { time }) => decide(current, body, time),
  }),
  entityRoutes(shown),
);
