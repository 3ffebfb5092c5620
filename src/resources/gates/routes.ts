import { ne } from 'drizzle-orm';
import { Hono } from 'hono';
import type * as z from 'zod';
import { moveTo } from '../../archive.ts';
import type { Resource } from '../../env.ts';
import { idParam } from '../../fields.ts';
import { commonFilters, match } from '../../filters.ts';
import { entityRoutes } from '../../http/entity.ts';
import { created, listing, listOf, oneOf, single } from '../../http/envelope.ts';
import { overridesRoutes } from '../../http/overrides.ts';
import { transitionRoutes } from '../../http/transitions.ts';
import { doc, valid } from '../../http/valid.ts';
import { joinGlobalHoldouts } from '../holdouts/global.ts';
import { archiveGate, newGate, patchGate, unarchiveGate, viewGate } from './gate.ts';
import { editOverrides } from './overrides.ts';
import { referenceRoutes } from './references.ts';
import {
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

const shown = { collection: gates, response: gateResponse, view: viewGate };

const transitions = transitionRoutes(shown, [
  {
    name: 'enable',
    summary: 'Enable a gate',
    done: 'enabled',
    next: (current) => moveTo(current, 'In Progress'),
  },
  {
    name: 'disable',
    summary: 'Disable a gate: it passes for nobody',
    done: 'disabled',
    next: (current) => moveTo(current, 'Disabled'),
  },
  {
    name: 'launch',
    summary: 'Launch a gate: it passes for everyone',
    done: 'launched',
    next: (current) => moveTo(current, 'Launched'),
  },
  {
    name: 'unarchive',
    summary: 'Bring an archived gate back as it was',
    done: 'unarchived',
    next: unarchiveGate,
  },
]);

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
    const { tx } = c.env;
    const draft = newGate(c.req.valid('json'), tx.author.actor);
    const entity = await gates.createFrom(c, draft.id, () => joinGlobalHoldouts(tx, draft));
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
  .route('/', transitions)
  .route('/', referenceRoutes)
  .route('/', overrideRoutes)
  .route('/', entityRoutes(shown));
