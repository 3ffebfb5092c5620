import { Hono } from 'hono';
import type * as z from 'zod';
import { idParam } from '../../base/ids.ts';
import { editOverrides, removeOverrides } from '../../flags/rules/override_handlers.ts';
import { unarchiveEntity } from '../../flags/rules/switching.ts';
import type { Service } from '../../platform/env.ts';
import { ifMatch } from '../../platform/http/conditional.ts';
import { dataEnvelope, single } from '../../platform/http/envelope.ts';
import { withOverdue } from '../../platform/http/overdue.ts';
import { requires } from '../../platform/http/scope.ts';
import { changeMessage } from '../../platform/http/success.ts';
import { transact } from '../../platform/http/transact.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import {
  changeHandlers,
  creationHandlers,
  patchHandlers,
  replaceHandlers,
  transitionHandlers,
} from '../../platform/operations/changing.ts';
import {
  restoreHandlers,
  versionHandlers,
  versionsHandlers,
} from '../../platform/operations/history.ts';
import { listHandlers, readHandlers } from '../../platform/operations/reading.ts';
import { referencesHandlers } from '../../platform/operations/references.ts';
import { successOf } from '../../platform/operations/resource.ts';
import type { Draft, Transaction } from '../../platform/store/core/transaction.ts';
import * as entities from '../../platform/store/entities/entities.ts';
import { guardOfRun } from '../starts/earlier_start.ts';
import { newExperiment, patchExperiment, replaceExperiment } from './experiment.ts';
import { filters } from './filters.ts';
import { switchGroups } from './lifecycle/groups.ts';
import {
  decideExperiment,
  type ExperimentTransitionName,
  moveExperiment,
  moves,
  requireRemovable,
  startExperiment,
  unarchiveExperiment,
} from './lifecycle/lifecycle.ts';
import { idCandidates, restartAsNew } from './lifecycle/restarting.ts';
import { scheduleStart } from './lifecycle/scheduled_start.ts';
import { groupsBody } from './schema/groups.ts';
import {
  decisionBody,
  experimentRemoval,
  optionalReason,
  reasonBody,
  restartBody,
  scheduleBody,
  startBody,
} from './schema/lifecycle.ts';
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
  transitionHandlers(experimentResource, {
    action,
    summary,
    done: moves[action].done,
    next: (current, { time }) => moveExperiment(current, action, time),
  });

const moveOperationWithBody = (
  body: z.ZodType<{ decisionReason?: string | undefined }>,
  action: ExperimentTransitionName,
  summary: string,
) =>
  changeHandlers(experimentResource, {
    summary,
    action,
    done: moves[action].done,
    body,
    next: (current, given, { time }) => moveExperiment(current, action, time, given),
  });

const groupsOperation = (direction: 'enable' | 'disable', summary: string) =>
  changeHandlers(experimentResource, {
    summary,
    action: `${direction}_groups`,
    done: 'updated',
    body: groupsBody,
    next: (current, { groupIDs }) => switchGroups(current, groupIDs, direction === 'disable'),
  });

const readExperiment = (tx: Transaction, id: string) =>
  withOverdue(tx, experimentResource.overdueChanges, id, () =>
    entities.readEntity(tx, experiments, id),
  );

/** The functions of rooms above that experiments use; the registry passes them. */
export interface AboveExperiments {
  /** Adds a restarted experiment to the holdouts of the original. */
  joinHoldouts: (tx: Transaction, experiment: Draft<Experiment>) => Promise<Draft<Experiment>>;
}

/** Returns the routes of experiments. */
export const experimentRoutes = ({ joinHoldouts }: AboveExperiments) =>
  new Hono<Service>()
    .use(requires('read', 'write'))
    .get('/', ...listHandlers(experimentResource, experimentList, filters))
    .post(
      '/',
      ...creationHandlers(experimentResource, { body: experimentCreate, make: newExperiment }),
    )
    .get('/:id', ...readHandlers(singleExperimentResource))
    .post('/:id', ...replaceHandlers(experimentResource, experimentUpdate, replaceExperiment))
    .patch('/:id', ...patchHandlers(experimentResource, experimentPatch, patchExperiment))
    .delete(
      '/:id',
      doc(
        'Delete one experiment',
        successOf(experiments, 'deleted'),
        dataEnvelope(singleExperiment),
      ),
      valid('param', idParam),
      valid('query', experimentRemoval),
      (c) =>
        transact(c, async (tx) => {
          const { id } = c.req.valid('param');
          await readExperiment(tx, id);
          const removed = await entities.removeEntity(tx, experiments, id, ifMatch(c));
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
        dataEnvelope(singleExperiment),
        { isUnversioned: true },
      ),
      valid('param', idParam),
      valid('json', restartBody),
      (c) =>
        transact(c, async (tx) => {
          const { name } = c.req.valid('json');
          const read = () => readExperiment(tx, c.req.valid('param').id);
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
      ...changeHandlers(experimentResource, {
        summary: 'Start an experiment',
        action: 'start',
        done: moves.start.done,
        body: startBody,
        guard: guardOfRun('experiment'),
        next: (current, { startTime }, { time }) => startExperiment(current, time, startTime),
      }),
    )
    .put(
      '/:id/schedule_start',
      ...changeHandlers(experimentResource, {
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
    .put('/:id/unarchive', ...unarchiveEntity(experimentResource, unarchiveExperiment))
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
      ...changeHandlers(experimentResource, {
        summary: 'Decide for a group of an experiment',
        action: 'make_decision',
        done: moves.make_decision.done,
        body: decisionBody,
        next: (current, body, { time }) => decideExperiment(current, body, time),
      }),
    )
    .get('/:id/overrides', ...readHandlers(overridesResource, 'overrides'))
    .post('/:id/overrides', ...editOverrides(overridesResource, 'replace'))
    .patch('/:id/overrides', ...editOverrides(overridesResource, 'add'))
    .delete('/:id/overrides', ...removeOverrides(overridesResource))
    .get(
      '/:id/references',
      ...referencesHandlers(singleExperimentResource, { part: 'experiment_group', by: 'layer' }),
    )
    .get('/:id/versions', ...versionsHandlers(singleExperimentResource))
    .get('/:id/versions/:version', ...versionHandlers(singleExperimentResource))
    .put('/:id/versions/:version/restore', ...restoreHandlers(singleExperimentResource));
