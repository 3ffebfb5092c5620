import { creation } from '../../platform/resource/portable.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { layerRoutes } from './routes.ts';
import { layerCreate, storedLayer } from './schema.ts';
import { layers, newLayer } from './table.ts';

export const layerResource = {
  path: 'layers',
  kind: layers,
  routes: layerRoutes,
  transfer: { stage: 'layers', stored: storedLayer, creation: creation(layerCreate, newLayer) },
} satisfies Resource;
