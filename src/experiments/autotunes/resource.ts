import { creation } from '../../platform/resource/portable.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { newAutotune, requireReachableAutotune } from './autotune.ts';
import { autotuneRoutes } from './routes.ts';
import { autotuneCreate, storedAutotune } from './schema.ts';
import { autotunes } from './table.ts';

export const autotuneResource = {
  path: 'autotunes',
  kind: autotunes,
  routes: autotuneRoutes,
  transfer: {
    stage: 'experiments',
    stored: storedAutotune,
    creation: creation(autotuneCreate, newAutotune),
    requireReached: requireReachableAutotune,
  },
  example: {
    variants: ['control', 'test'].map((name) => ({ name, json: { arm: name }, size: 50 })),
    successEvent: 'purchase',
    explorationWindow: '24hr',
    attributionWindow: '1hr',
    winnerThreshold: '95%',
  },
} satisfies Resource;
