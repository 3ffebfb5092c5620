import { creation } from '../../platform/resource/portable.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { requireArchivedFrom } from '../rules/archive.ts';
import { newGate } from './gate.ts';
import { gateRoutes } from './routes.ts';
import { type Gate, gateCreate, storedGate } from './schema.ts';
import { gates } from './table.ts';

export const gateResource = {
  path: 'gates',
  kind: gates,
  routes: gateRoutes,
  transfer: {
    stage: 'flags',
    stored: storedGate,
    creation: creation(gateCreate, newGate),
    requireReached: (gate: Gate) => requireArchivedFrom(gate),
  },
} satisfies Resource;
