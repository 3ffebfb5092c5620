import { newName } from '../../shared/name_schemas.ts';
import type { Resource } from '../resource.ts';
import { creation } from '../transfer/portability.ts';
import { targetAppRoutes } from './routes.ts';
import { targetApp } from './schema.ts';
import { targetApps } from './table.ts';

export const targetAppResource = {
  path: 'target_apps',
  kind: targetApps,
  routes: targetAppRoutes,
  transfer: {
    stage: 'names',
    stored: targetApp.response,
    creation: creation(targetApp.create, newName),
  },
} satisfies Resource;
