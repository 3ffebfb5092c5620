import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { ifMatch } from '../../http/conditional.ts';
import { oneOf, said, single } from '../../http/envelope.ts';
import { requires } from '../../http/scope.ts';
import { watching } from '../../http/settling.ts';
import { transact } from '../../http/transact.ts';
import { doc, valid } from '../../http/valid.ts';
import { change, create, patch, replace, transition } from '../../operations/changing.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { editOverrides, removeOverrides } from '../../operations/overrides.ts';
import { list, read } from '../../operations/reading.ts';
import { references } from '../../operations/references.ts';
import { idParam, show } from '../../shared/fields.ts';
import * as entities from '../../store/entities.ts';
import { joinHoldouts } from '../holdouts/joining.ts';
import { idsFor, newExperiment, patchExperiment, restartAsNew } from './experiment.ts';
import { filters } from './filters.ts';
import { switchGroups } from './groups.ts';
import { decide, move, requireRemovable, scheduleStart, unarchive } from './lifecycle.ts';
import { editExperimentOverrides, removeExperimentOverrides } from './overrides.ts';
import { replaceExperiment } from './replacing.ts';
import {
  decisionBody,
  type Experiment,
  experimentCreate,
  experimentList,
  experimentPatch,
  experimentRemoval,
  experimentUpdate,
  groupsBody,
  optionalReason,
  overridesRemoval,
  overridesRequest,
  overridesResponse,
  reasonBody,
  restartBody,
  scheduleBody,
  singleExperiment,
} from './schema.ts';
import { experiments } from './table.ts';
import { shownExperiments, viewExperiment } from './view.ts';

/** How one experiment is answered when it is read alone (contract, conventions, 6). */
const shownAlone = {
  ...shownExperiments,
  response: singleExperiment,
  view: (experiment: Experiment, now?: number) =>
    show(singleExperiment, viewExperiment(experiment, now)),
};

const shownOverrides = {
  kind: experiments,
  request: overridesRequest,
  response: overridesResponse,
  view: ({ overrides }: Experiment) => overrides,
  edit: editExperimentOverrides,
  removal: overridesRemoval,
  remove: removeExperimentOverrides,
  settles: shownExperiments.settles,
};

export const experimentRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...list(shownExperiments, experimentList, filters))
  .post('/', ...create(shownExperiments, { body: experimentCreate, make: newExperiment }))
  .get('/:id', ...read(shownAlone))
  .post('/:id', ...replace(shownExperiments, experimentUpdate, replaceExperiment))
  .patch('/:id', ...patch(shownExperiments, experimentPatch, patchExperiment))
  .delete(
    '/:id',
    doc('Delete one experiment', oneOf(singleExperiment)),
    valid('param', idParam),
    valid('query', experimentRemoval),
    (c) =>
      transact(c, async (tx) => {
        const { id } = c.req.valid('param');
        const found = await watching(tx, shownExperiments.settles, id, () =>
          entities.get(tx, experiments, id),
        );
        if (!c.req.valid('query').force) requireRemovable(found);
        const removed = await entities.remove(tx, experiments, id, ifMatch(c));
        return c.json({
          message: said(tx, 'Experiment', 'deleted'),
          data: shownAlone.view(removed),
        });
      }),
  )
  .post(
    '/:id/restart_as_new',
    doc('Restart an experiment as a new one', oneOf(singleExperiment), 200, {
      isUnversioned: true,
    }),
    valid('param', idParam),
    valid('json', restartBody),
    (c) =>
      transact(c, async (tx) => {
        const { name } = c.req.valid('json');
        const { id } = c.req.valid('param');
        const original = () =>
          watching(tx, shownExperiments.settles, id, () => entities.get(tx, experiments, id));
        const entity = await entities.createFree(
          tx,
          experiments,
          idsFor(name),
          original,
          (of, free) => joinHoldouts(tx, restartAsNew(of, free, name)),
        );
        const data = shownAlone.view(entity);
        const response = single(c, said(tx, 'Experiment', 'restarted'), entity, data);
        const location = `/console/v1/experiments/${encodeURIComponent(entity.id)}`;
        response.headers.set('Location', location);
        return response;
      }),
  )
  .put(
    '/:id/start',
    ...transition(shownExperiments, {
      action: 'start',
      summary: 'Start an experiment',
      done: 'started',
      next: (current, { time }) => move(current, 'start', time),
    }),
  )
  .put(
    '/:id/schedule_start',
    ...change(shownExperiments, {
      summary: 'Have an experiment start at a time',
      action: 'schedule_start',
      done: 'scheduled',
      body: scheduleBody,
      next: (current, { startTime }, { time }) => scheduleStart(current, startTime, time),
    }),
  )
  .put(
    '/:id/enable_groups',
    ...change(shownExperiments, {
      summary: 'Enable groups of an experiment',
      action: 'enable_groups',
      done: 'updated',
      body: groupsBody,
      next: (current, { groupIDs }) => switchGroups(current, groupIDs, false),
    }),
  )
  .put(
    '/:id/disable_groups',
    ...change(shownExperiments, {
      summary: 'Disable groups of an experiment',
      action: 'disable_groups',
      done: 'updated',
      body: groupsBody,
      next: (current, { groupIDs }) => switchGroups(current, groupIDs, true),
    }),
  )
  .put(
    '/:id/reset',
    ...transition(shownExperiments, {
      action: 'reset',
      summary: 'Reset an experiment to setup',
      done: 'reset',
      next: (current, { time }) => move(current, 'reset', time),
    }),
  )
  .put(
    '/:id/archive',
    ...transition(shownExperiments, {
      action: 'archive',
      summary: 'Archive an experiment',
      done: 'archived',
      next: (current, { time }) => move(current, 'archive', time),
    }),
  )
  .put(
    '/:id/unarchive',
    ...transition(shownExperiments, {
      action: 'unarchive',
      summary: 'Bring an archived experiment back as it was',
      done: 'unarchived',
      next: unarchive,
    }),
  )
  .put(
    '/:id/stop',
    ...change(shownExperiments, {
      summary: 'Stop an experiment',
      action: 'stop',
      done: 'stopped',
      body: reasonBody,
      next: (current, given, { time }) => move(current, 'stop', time, given),
    }),
  )
  .put(
    '/:id/abandon',
    ...change(shownExperiments, {
      summary: 'Abandon an experiment',
      action: 'abandon',
      done: 'abandoned',
      body: reasonBody,
      next: (current, given, { time }) => move(current, 'abandon', time, given),
    }),
  )
  .put(
    '/:id/stop_assignment',
    ...change(shownExperiments, {
      summary: 'Stop assigning new units to an experiment',
      action: 'stop_assignment',
      done: 'closed to new units',
      body: optionalReason,
      next: (current, given, { time }) => move(current, 'stop_assignment', time, given),
    }),
  )
  .put(
    '/:id/make_decision',
    ...change(shownExperiments, {
      summary: 'Decide for a group of an experiment',
      action: 'make_decision',
      done: 'decided',
      body: decisionBody,
      next: (current, body, { time }) => decide(current, body, time),
    }),
  )
  .get('/:id/overrides', ...read(shownOverrides, 'overrides'))
  .post('/:id/overrides', ...editOverrides(shownOverrides, 'replace'))
  .patch('/:id/overrides', ...editOverrides(shownOverrides, 'add'))
  .delete('/:id/overrides', ...removeOverrides(shownOverrides))
  .get('/:id/references', ...references(shownAlone))
  .get('/:id/versions', ...versions(shownAlone))
  .get('/:id/versions/:version', ...version(shownAlone))
  .put('/:id/versions/:version/restore', ...restore(shownAlone));
