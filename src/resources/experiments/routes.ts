import { and, inArray, lte } from 'drizzle-orm';
import { Hono } from 'hono';
import type * as z from 'zod';
import type { Resource } from '../../env.ts';
import { idParam, newID, show } from '../../fields.ts';
import { commonFilters, match } from '../../filters.ts';
import { entityRoutes } from '../../http/entity.ts';
import { created, listing, listOf, oneOf, single } from '../../http/envelope.ts';
import { overridesRoutes } from '../../http/overrides.ts';
import { doc, valid } from '../../http/valid.ts';
import {
  newExperiment,
  patchExperiment,
  restartAsNew,
  staleBefore,
  staleStatuses,
  viewExperiment,
} from './experiment.ts';
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

const experiment = oneOf(experimentResponse);
const view = (entity: Experiment) => viewExperiment(entity);
const viewSingle = (entity: Experiment) => show(singleExperiment, viewExperiment(entity));

function filters(query: z.infer<typeof experimentList>) {
  const { layerID, idType, teamID, status, experimentType, stale } = query;
  return [
    ...commonFilters(experiments, query),
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

interface Operation {
  name: MoveName;
  summary: string;
  done: string;
}

/** The moves along the lifecycle without a body. */
const bareMoves: Operation[] = [
  { name: 'start', summary: 'Start an experiment', done: 'started' },
  { name: 'reset', summary: 'Reset an experiment to setup', done: 'reset' },
  { name: 'archive', summary: 'Archive an experiment', done: 'archived' },
];

/** The moves along the lifecycle that say why. */
const reasonedMoves: (Operation & { body: typeof reasonBody | typeof optionalReason })[] = [
  { name: 'stop', summary: 'Stop an experiment', done: 'stopped', body: reasonBody },
  { name: 'abandon', summary: 'Abandon an experiment', done: 'abandoned', body: reasonBody },
  {
    name: 'stop_assignment',
    summary: 'Stop assigning new units to an experiment',
    done: 'closed to new units',
    body: optionalReason,
  },
];

const lifecycle = new Hono<Resource>();

for (const { name, summary, done } of bareMoves)
  lifecycle.put(`/:id/${name}`, doc(summary, experiment), valid('param', idParam), async (c) => {
    const { time } = c.env.tx.author;
    const { id } = c.req.valid('param');
    const entity = await experiments.change(c, id, name, (current) => move(current, name, time));
    return single(c, `Experiment ${done} successfully.`, entity, view(entity));
  });

for (const { name, summary, done, body } of reasonedMoves)
  lifecycle.put(
    `/:id/${name}`,
    doc(summary, experiment),
    valid('param', idParam),
    valid('json', body),
    async (c) => {
      const { time } = c.env.tx.author;
      const given = c.req.valid('json');
      const { id } = c.req.valid('param');
      const next = (current: Experiment) => move(current, name, time, given);
      const entity = await experiments.change(c, id, name, next);
      return single(c, `Experiment ${done} successfully.`, entity, view(entity));
    },
  );

lifecycle
  .put(
    '/:id/make_decision',
    doc('Decide for a group of an experiment', experiment),
    valid('param', idParam),
    valid('json', decisionBody),
    async (c) => {
      const { time } = c.env.tx.author;
      const body = c.req.valid('json');
      const { id } = c.req.valid('param');
      const next = (current: Experiment) => decide(current, body, time);
      const entity = await experiments.change(c, id, 'make_decision', next);
      return single(c, 'Decision made successfully.', entity, view(entity));
    },
  )
  .put(
    '/:id/unarchive',
    doc('Bring an archived experiment back as it was', experiment),
    valid('param', idParam),
    async (c) => {
      const entity = await experiments.change(c, c.req.valid('param').id, 'unarchive', unarchive);
      return single(c, 'Experiment unarchived successfully.', entity, view(entity));
    },
  );

const overrideRoutes = overridesRoutes({
  collection: experiments,
  request: overridesRequest,
  response: overridesResponse,
  view: (entity) => entity.overrides,
  edit: editOverrides,
});

export const experimentRoutes = new Hono<Resource>()
  .get(
    '/',
    doc('List experiments', listOf(experimentResponse)),
    valid('query', experimentList),
    async (c) => {
      const query = c.req.valid('query');
      const page = await experiments.list(c, { page: query, filters: filters(query) });
      return listing(c, 'Experiments listed successfully.', page, view);
    },
  )
  .post(
    '/',
    doc('Create an experiment', experiment, 201),
    valid('json', experimentCreate),
    async (c) => {
      const draft = newExperiment(c.req.valid('json'), c.env.tx.author.actor);
      const entity = await experiments.create(c, draft);
      return created(c, 'Experiment created successfully.', entity, view(entity));
    },
  )
  .patch(
    '/:id',
    doc('Update some properties of an experiment', experiment),
    valid('param', idParam),
    valid('json', experimentPatch),
    async (c) => {
      const { time } = c.env.tx.author;
      const body = c.req.valid('json');
      const { id } = c.req.valid('param');
      const next = (current: Experiment) => patchExperiment(current, body, time);
      const entity = await experiments.change(c, id, 'update', next);
      return single(c, 'Experiment updated successfully.', entity, view(entity));
    },
  )
  .post(
    '/:id/restart_as_new',
    doc('Restart an experiment as a new one', oneOf(singleExperiment)),
    valid('param', idParam),
    valid('json', restartBody),
    async (c) => {
      const { name } = c.req.valid('json');
      const id = newID(undefined, name);
      const entity = await experiments.createFrom(c, id, async () =>
        restartAsNew(await experiments.get(c, c.req.valid('param').id), id, name),
      );
      const location = `/console/v1/experiments/${encodeURIComponent(entity.id)}`;
      c.header('Location', location);
      return single(c, 'Experiment restarted successfully.', entity, viewSingle(entity));
    },
  )
  .route('/', lifecycle)
  .route('/', overrideRoutes)
  .route(
    '/',
    entityRoutes({ collection: experiments, response: singleExperiment, view: viewSingle }),
  );
