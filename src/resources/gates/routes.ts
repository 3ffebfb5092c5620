import { ne } from 'drizzle-orm';
import type * as z from 'zod';
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
import { moveTo } from '../../shared/archive.ts';
import { match } from '../../shared/filters.ts';
import { joinGlobalHoldouts } from '../holdouts/joining.ts';
import { archiveGate, newGate, patchGate, unarchiveGate } from './gate.ts';
import { editOverrides } from './overrides.ts';
import { referenceRoutes, shownGates } from './references.ts';
import {
  gateArchive,
  gateCreate,
  gateList,
  gatePatch,
  overridesRequest,
  overridesResponse,
} from './schema.ts';
import { gates, gateTable } from './table.ts';

function filters(query: z.infer<typeof gateList>) {
  const { status, type, idType, teamID, includeArchived } = query;
  return [
    match(gateTable.status, status),
    match(gateTable.type, type),
    match(gateTable.idType, idType),
    match(gateTable.teamID, teamID),
    includeArchived || status ? undefined : ne(gateTable.status, 'Archived'),
  ];
}

const transitions = transitionRoutes(shownGates, [
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
  view: (gate) => gate.overrides,
  edit: editOverrides,
});

export const gateRoutes = combine(
  listRoute(shownGates, gateList, filters),
  createRoute(shownGates, {
    body: gateCreate,
    make: (body, { actor }) => newGate(body, actor),
    complete: joinGlobalHoldouts,
  }),
  patchRoute(shownGates, gatePatch, patchGate),
  changeRoute(shownGates, {
    method: 'PUT',
    path: '/archive',
    summary: 'Archive a gate',
    action: 'archive',
    done: 'archived',
    body: gateArchive,
    next: archiveGate,
  }),
  transitions,
  referenceRoutes,
  overrideRoutes,
  entityRoutes(shownGates),
);
