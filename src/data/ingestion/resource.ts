import { creation } from '../../platform/resource/portable.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { ingestionRoutes } from './routes.ts';
import { sourceCreate, sourceResponse } from './schema.ts';
import { ingestionSources, newSource } from './table.ts';

export const ingestionResource = {
  path: 'ingestion',
  kind: ingestionSources,
  routes: ingestionRoutes,
  transfer: { stage: 'parts', stored: sourceResponse, creation: creation(sourceCreate, newSource) },
} satisfies Resource;
