import { Hono } from 'hono';
import type * as z from 'zod';
import { idParam } from '../../base/ids.ts';
import { editOverrides, removeOverrides } from '../../flags/rules/override_handlers.ts';
import { unarchiveEntity } from '../../flags/rules/switching.ts';
import type { Service } from '../../platform/env.ts';
import { ifMatch } from '../../platform/http/conditional.ts';
import { oneOf, single } from '../../platform/http/envelope.ts';
import { withOverdue } from '../../platform/http/overdue.ts';
import { requires } from '../../platform/http/scope.ts';
import { changeMessage } from '../../platform/http/success.ts';
import { transact } from '../../platform/http/transact.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import { change, create, patch, replace, transition } from '../../platform/operations/changing.ts';
import { restore, version, versions } from '../../platform/operations/history.ts';
import { listHandlers, read } from '../../platform/operations/reading.ts';
import { references } from '../../platform/operations/references.ts';
import { successOf } from '../../platform/operations/resource.ts';
import type { Transaction } from '../../platform/store/core/transaction.ts';
import * as entities from '../../platform/store/entities/entities.ts';
import { joinHoldouts } from '../holdouts/joining.ts';
import { guardOfRun } from '../starts/earlier_start.ts';
import { newExperiment, patchExperiment, replaceExperiment } from './experiment.ts';
import { filters } from './filters.ts';
import { groupsBody } from './group_schema.ts';
import { switchGroups } from './groups.ts';
import {
  decide,
  type ExperimentTransitionName,
  move,
  moves,
  requireRemovable,
  start,
  unarchive,
} from './lifecycle.ts';
import {
  decisionBody,
  experimentRemoval,
  optionalReason,
  reasonBody,
  restartBody,
  scheduleBody,
  startBody,
} from './lifecycle_schema.ts';
import { idCandidates, restartAsNew } from './restarting.ts';
import { scheduleStart } from './scheduled_start.ts';
import {
  type Experiment,
  experimentCreate,
  experimentList,
  experimentPatch,
  experimentUpdate,
  singleExperiment,
} from './schema.ts';
import { experiments } from './table.ts';
import { experimentResource, overridesResource, singleExperimentResource } from './view.ts';

const moveOperation = (action: ExperimentTransitionName, summary: string) =>
  transition(experimentResource, {
    action,
    summary,
    done: moves[action].done,
    next: (current, { time }) => move(current, action, time),
  });

const moveOperationWithBody = (
  body: z.ZodType<{ decisionReason?: string | undefined }>,
  action: ExperimentTransitionName,
  summary: string,
) =>
  change(experimentResource, {
    summary,
    action,
    done: moves[action].done,
    body,
    next: (current, given, { time }) => move(current, action, time, given),
  });

const groupsOperation = (direction: 'enable' | 'disable', summary: string) =>
  change(experimentResource, {
    summary,
    action: `${direction}_groups`,
    done: 'updated',
    body: groupsBody,
    next: (current, { groupIDs }) => switchGroups(current, groupIDs, direction === 'disable'),
  });

const readCurrent = (tx: Transaction, id: string) =>
  withOverdue(tx, experimentResource.overdueChanges, id, () => entities.get(tx, experiments, id));

export const experimentRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...listHandlers(experimentResource, experimentList, filters))
  .post('/', ...create(experimentResource, { body: experimentCreate, make: newExperiment }))
  .get('/:id', ...read(singleExperimentResource))
  .post('/:id', ...replace(experimentResource, experimentUpdate, replaceExperiment))
  .patch('/:id', ...patch(experimentResource, experimentPatch, patchExperiment))
  .delete(
    '/:id',
    doc('Delete one experiment', successOf(experiments, 'deleted'), oneOf(singleExperiment)),
    valid('param', idParam),
    valid('query', experimentRemoval),
    (c) =>
      transact(c, async (tx) => {
        const { id } = c.req.valid('param');
        await readCurrent(tx, id);
        const removed = await entities.remove(tx, experiments, id, ifMatch(c));
        if (!c.req.valid('query').force) requireRemovable(removed);
        return c.json({
          message: changeMessage(c, tx),
          data: singleExperimentResource.view(removed),
        });
      }),
  )
  .post(
    '/:id/restart_as_new',
    doc(
      'Restart an experiment as a new one',
      successOf(experiments, 'restarted'),
      oneOf(singleExperiment),
      { isUnversioned: true },
    ),
    valid('param', idParam),
    valid('json', restartBody),
    (c) =>
      transact(c, async (tx) => {
        const { name } = c.req.valid('json');
        const read = () => readCurrent(tx, c.req.valid('param').id);
        const make = (of: Experiment, id: string) => joinHoldouts(tx, restartAsNew(of, id, name));
        const entity = await entities.createFree(tx, experiments, idCandidates(name), read, make);
        const response = single(
          c,
          changeMessage(c, tx),
          entity,
          singleExperimentResource.view(entity),
        );
        const location = `/console/v1/experiments/${encodeURIComponent(entity.id)}`;
        response.headers.set('Location', location);
        return response;
      }),
  )
  .put(
    '/:id/start',
    ...change(experimentResource, {
      summary: 'Start an experiment',
      action: 'start',
      done: moves.start.done,
      body: startBody,
      guard: guardOfRun('experiment'),
      next: (current, { startTime }, { time }) => start(current, time, startTime),
    }),
  )
  .put(
    '/:id/schedule_start',
    ...change(experimentResource, {
      summary: 'Schedule the start of an experiment',
      action: 'schedule_start',
      done: 'scheduled',
      body: scheduleBody,
      next: (current, { startTime }, { time }) => scheduleStart(current, startTime, time),
    }),
  )
  .put('/:id/enable_groups', ...groupsOperation('enable', 'Enable groups of an experiment'))
  .put('/:id/disable_groups', ...groupsOperation('disable', 'Disable groups of an experiment'))
  .put('/:id/reset', ...moveOperation('reset', 'Reset an experiment to setup'))
  .put('/:id/archive', ...moveOperation('archive', 'Archive an experiment'))
  .put('/:id/unarchive', ...unarchiveEntity(experimentResource, unarchive))
  .put('/:id/stop', ...moveOperationWithBody(reasonBody, 'stop', 'Stop an experiment'))
  .put('/:id/abandon', ...moveOperationWithBody(reasonBody, 'abandon', 'Abandon an experiment'))
  .put(
    '/:id/stop_assignment',
    ...moveOperationWithBody(
      optionalReason,
      'stop_assignment',
      'Stop assigning new units to an experiment',
    ),
  )
  .put(
    '/:id/make_decision',
    ...change(experimentResource, {
      summary: 'Decide for a group of an experiment',
      action: 'make_decision',
      done: moves.make_decision.done,
      body: decisionBody,
      next: (current, body, { time }) => decide(current, body, time),
    }),
  )
  .get('/:id/overrides', ...read(overridesResource, 'overrides'))
  .post('/:id/overrides', ...editOverrides(overridesResource, 'replace'))
  .patch('/:id/overrides', ...editOverrides(overridesResource, 'add'))
  .delete('/:id/overrides', ...removeOverrides(overridesResource))
  .get(
    '/:id/references',
    ...references(singleExperimentResource, { part: 'experiment_group', by: 'layer' }),
  )
  .get('/:id/versions', ...versions(singleExperimentResource))
  .get('/:id/versions/:version', ...version(singleExperimentResource))
  .put('/:id/versions/:version/restore', ...restore(singleExperimentResource));
