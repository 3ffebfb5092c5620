import { and, inArray, lte } from 'drizzle-orm';
import { Hono } from 'hono';
import type * as z from 'zod';
import type { Resource } from '../../env.ts';
import { oneOf, single } from '../../http/envelope.ts';
import { doc, valid } from '../../http/valid.ts';
import {
  changeRoute,
  createRoute,
  patchRoute,
  transitionRoutes,
} from '../../operations/changing.ts';
import { entityRoutes } from '../../operations/history.ts';
import { overridesRoutes } from '../../operations/overrides.ts';
import { listRoute } from '../../operations/reading.ts';
import { combine } from '../../operations/shown.ts';
import { idParam, newID, show } from '../../shared/fields.ts';
import { match } from '../../shared/filters.ts';
import type { Author } from '../../store/transaction.ts';
import { joinHoldouts } from '../holdouts/joining.ts';
import { newExperiment, patchExperiment, restartAsNew } from './experiment.ts';
import { decide, type MoveName, move, unarchive } from './lifecycle.ts';
import { editOverrides } from './overrides.ts';
import {
  decisionBody,
  type Experiment,
  experimentCreate,
  experimentList,
  experimentPatch,
  experimentResponse,
  optionalReason,
  overridesRequest,
  overridesResponse,
  reasonBody,
  restartBody,
  singleExperiment,
} from './schema.ts';
import { experiments, experimentTable } from './table.ts';
import { staleBefore, staleStatuses, viewExperiment } from './view.ts';

/** How experiments are answered, here and where they are listed as referrers. */
export const shownExperiments = {
  collection: experiments,
  response: experimentResponse,
  view: viewExperiment,
};

/** How one experiment is answered when it is read alone (contract, conventions, 6). */
const shownAlone = {
  collection: experiments,
  response: singleExperiment,
  view: (entity: Experiment) => show(singleExperiment, viewExperiment(entity)),
};

function filters(query: z.infer<typeof experimentList>) {
  const { layerID, idType, teamID, status, experimentType, stale } = query;
  return [
    match(experimentTable.layerID, layerID),
    match(experimentTable.idType, idType),
    match(experimentTable.teamID, teamID),
    match(experimentTable.status, status),
    match(experimentTable.experimentType, experimentType),
    stale
      ? and(
          inArray(experimentTable.status, [...staleStatuses]),
          lte(experimentTable.lastModifiedTime, staleBefore(Date.now())),
        )
      : undefined,
  ];
}

/** A move along the lifecycle that needs no body. */
const bareMove = (name: MoveName, summary: string, done: string) => ({
  name,
  summary,
  done,
  next: (current: Experiment, { time }: Author) => move(current, name, time),
});

/** A move along the lifecycle that says why. */
const reasonedMove = (
  name: MoveName,
  summary: string,
  done: string,
  body: typeof reasonBody | typeof optionalReason = reasonBody,
) =>
  changeRoute(shownExperiments, {
    method: 'PUT',
    path: `/${name}`,
    summary,
    action: name,
    done,
    body,
    next: (current, given, { time }) => move(current, name, time, given),
  });

const lifecycle = combine(
  transitionRoutes(shownExperiments, [
    bareMove('start', 'Start an experiment', 'started'),
    bareMove('reset', 'Reset an experiment to setup', 'reset'),
    bareMove('archive', 'Archive an experiment', 'archived'),
    {
      name: 'unarchive',
      summary: 'Bring an archived experiment back as it was',
      done: 'unarchived',
      next: unarchive,
    },
  ]),
  reasonedMove('stop', 'Stop an experiment', 'stopped'),
  reasonedMove('abandon', 'Abandon an experiment', 'abandoned'),
  reasonedMove(
    'stop_assignment',
    'Stop assigning new units to an experiment',
    'closed to new units',
    optionalReason,
  ),
  changeRoute(shownExperiments, {
    method: 'PUT',
    path: '/make_decision',
    summary: 'Decide for a group of an experiment',
    action: 'make_decision',
    done: 'decided',
    body: decisionBody,
    next: (current, body, { time }) => decide(current, body, time),
  }),
);

const restart = new Hono<Resource>().post(
  '/:id/restart_as_new',
  doc('Restart an experiment as a new one', oneOf(singleExperiment)),
  valid('param', idParam),
  valid('json', restartBody),
  async (c) => {
    const { name } = c.req.valid('json');
    const id = newID(undefined, name);
    const entity = await experiments.createFrom(c, id, async () => {
      const original = await experiments.get(c, c.req.valid('param').id);
      return joinHoldouts(c.env.tx, restartAsNew(original, id, name));
    });
    c.header('Location', `/console/v1/experiments/${encodeURIComponent(entity.id)}`);
    return single(c, 'Experiment restarted successfully.', entity, shownAlone.view(entity));
  },
);

export const experimentRoutes = combine(
  listRoute(shownExperiments, experimentList, filters),
  createRoute(shownExperiments, {
    body: experimentCreate,
    make: (body, { actor }) => newExperiment(body, actor),
  }),
  patchRoute(shownExperiments, experimentPatch, (current, body, { time }) =>
    patchExperiment(current, body, time),
  ),
  restart,
  lifecycle,
  overridesRoutes({
    collection: experiments,
    request: overridesRequest,
    response: overridesResponse,
    view: (entity) => entity.overrides,
    edit: editOverrides,
  }),
  entityRoutes(shownAlone),
);
