import { creation } from '../../platform/resource/portable.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { paramStoreRoutes } from './routes.ts';
import { storeCreate, storeResponse } from './schema.ts';
import { newStore, paramStores } from './table.ts';

export const paramStoreResource = {
  path: 'param_stores',
  kind: paramStores,
  routes: paramStoreRoutes,
  transfer: { stage: 'content', stored: storeResponse, creation: creation(storeCreate, newStore) },
  example: { description: '', displayName: 'Store' },
} satisfies Resource;
