import { newName } from '../../shared/name_schemas.ts';
import type { Resource } from '../resource.ts';
import { creation } from '../transfer/portability.ts';
import { unitIdTypeRoutes } from './routes.ts';
import { unitIDType } from './schema.ts';
import { unitIdTypes } from './table.ts';

export const unitIdTypeResource = {
  path: 'unit_id_types',
  kind: unitIdTypes,
  routes: unitIdTypeRoutes,
  transfer: {
    stage: 'names',
    stored: unitIDType.response,
    creation: creation(unitIDType.create, newName),
  },
} satisfies Resource;
