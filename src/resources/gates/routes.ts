import { ne } from 'drizzle-orm';
import { Hono } from 'hono';
import type * as z from 'zod';
import type { Resource } from '../../env.ts';
import { idParam } from '../../fields.ts';
import { commonFilters, match } from '../../filters.ts';
import { entityRoutes } from '../../http/entity.ts';
import { created, listing, listOf, oneOf, pageQuery, single } from '../../http/envelope.ts';
import { overridesRoutes } from '../../http/overrides.ts';
import { doc, valid } from '../../http/valid.ts';
import { refersTo } from '../../store/references.ts';
import { viewExperiment } from '../experiments/experiment.ts';
import { experimentResponse } from '../experiments/schema.ts';
import { experiments } from '../experiments/table.ts';
import { archiveGate, moveGate, newGate, patchGate, unarchiveGate, viewGate } from './gate.ts';
import { editOverrides } from './overrides.ts';
import {
  type Gate,
  gateArchive,
  gateCreate,
  gateList,
  gatePatch,
  gateResponse,
  overridesRequest,
  overridesResponse,
} from './schema.ts';
import { gates, gateTable } from './table.ts';

const gate = oneOf(gateResponse);

function filters(query: z.infer<typeof gateList>) {
  const { status, type, idType, teamID, includeArchived } = query;
  return [
    ...commonFilters(gates, query),
    match(gateTable.status, status),
    match(gateTable.type, type),
    match(gateTable.idType, idType),
    match(gateTable.teamID, teamID),
    includeArchived || status ? undefined : ne(gateTable.status, 'Archived'),
  ];
}

/** The moves between statuses that have no body. */
const transitions: { name: string; summary: string; done: string; next: (gate: Gate) => Gate }[] = [
  {
    name: 'enable',
    summary: 'Enable a gate',
    done: 'enabled',
    next: (current) => moveGate(current, 'In Progress'),
  },
  {
    name: 'disable',
    summary: 'Disable a gate: it passes for nobody',
    done: 'disabled',
    next: (current) => moveGate(current, 'Disabled'),
  },
  {
    name: 'launch',
    summary: 'Launch a gate: it passes for everyone',
    done: 'launched',
    next: (current) => moveGate(current, 'Launched'),
  },
  {
    name: 'unarchive',
    summary: 'Bring an archived gate back as it was',
    done: 'unarchived',
    next: unarchiveGate,
  },
];

const transitionRoutes = new Hono<Resource>();

for (const { name, summary, done, next } of transitions)
  transitionRoutes.put(`/:id/${name}`, doc(summary, gate), valid('param', idParam), async (c) => {
    const entity = await gates.change(c, c.req.valid('param').id, name, next);
    return single(c, `Gate ${done} successfully.`, entity, viewGate(entity));
  });

/** The lists of what refers to a gate (contract, operation 4, and its siblings). */
const referenceRoutes = new Hono<Resource>()
  .get(
    '/:id/gate_references',
    doc('List the gates whose rules name a gate', listOf(gateResponse)),
    valid('param', idParam),
    valid('query', pageQuery),
    async (c) => {
      const { id } = c.req.valid('param');
      const filters = [refersTo(gates, 'gate', [id], 'rules')];
      const of = { collection: gates, id };
      const page = await gates.list(c, { page: c.req.valid('query'), filters, of });
      return listing(c, 'Gate references listed successfully.', page, viewGate);
    },
  )
  .get(
    '/:id/experiment_references',
    doc('List the experiments that target a gate', listOf(experimentResponse)),
    valid('param', idParam),
    valid('query', pageQuery),
    async (c) => {
      const { id } = c.req.valid('param');
      const filters = [refersTo(experiments, 'gate', [id], 'targetingGateID')];
      const of = { collection: gates, id };
      const page = await experiments.list(c, { page: c.req.valid('query'), filters, of });
      return listing(c, 'Experiment references listed successfully.', page, viewExperiment);
    },
  );

const overrideRoutes = overridesRoutes({
  collection: gates,
  request: overridesRequest,
  response: overridesResponse,
  view: (entity) => entity.overrides,
  edit: editOverrides,
});

export const gateRoutes = new Hono<Resource>()
  .get('/', doc('List gates', listOf(gateResponse)), valid('query', gateList), async (c) => {
    const query = c.req.valid('query');
    const page = await gates.list(c, { page: query, filters: filters(query) });
    return listing(c, 'Gates listed successfully.', page, viewGate);
  })
  .post('/', doc('Create a gate', gate, 201), valid('json', gateCreate), async (c) => {
    const entity = await gates.create(c, newGate(c.req.valid('json'), c.env.tx.author.actor));
    return created(c, 'Gate created successfully.', entity, viewGate(entity));
  })
  .patch(
    '/:id',
    doc('Update some properties of a gate', gate),
    valid('param', idParam),
    valid('json', gatePatch),
    async (c) => {
      const body = c.req.valid('json');
      const { id } = c.req.valid('param');
      const entity = await gates.change(c, id, 'update', (current) => patchGate(current, body));
      return single(c, 'Gate updated successfully.', entity, viewGate(entity));
    },
  )
  .put(
    '/:id/archive',
    doc('Archive a gate', gate),
    valid('param', idParam),
    valid('json', gateArchive),
    async (c) => {
      const body = c.req.valid('json');
      const { id } = c.req.valid('param');
      const entity = await gates.change(c, id, 'archive', (current) => archiveGate(current, body));
      return single(c, 'Gate archived successfully.', entity, viewGate(entity));
    },
  )
  .route('/', transitionRoutes)
  .route('/', referenceRoutes)
  .route('/', overrideRoutes)
  .route('/', entityRoutes({ collection: gates, response: gateResponse, view: viewGate }));
