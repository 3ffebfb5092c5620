import { creation } from '../../platform/resource/portable.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import type { Entity } from '../../platform/store/core/entity.ts';
import { requireArchivedFrom } from '../rules/archive.ts';
import { newGate } from './gate.ts';
import { type AboveGates, gateRoutes } from './routes.ts';
import { type Gate, gateCreate, storedGate } from './schema.ts';
import { gates } from './table.ts';

/** Returns the entry of gates. */
export const gateResource = <E extends Entity>(above: AboveGates<E>) =>
  ({
    path: 'gates',
    kind: gates,
    routes: gateRoutes(above),
    transfer: {
      stage: 'flags',
      stored: storedGate,
      creation: creation(gateCreate, newGate),
      requireReached: (gate: Gate) => requireArchivedFrom(gate),
    },
  }) satisfies Resource;
