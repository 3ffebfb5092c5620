import { newName } from '../../shared/name_schemas.ts';
import type { Resource } from '../resource.ts';
import { creation } from '../transfer/portability.ts';
import { teamRoutes } from './routes.ts';
import { team } from './schema.ts';
import { teams } from './table.ts';

export const teamResource = {
  path: 'teams',
  kind: teams,
  routes: teamRoutes,
  transfer: {
    stage: 'names',
    stored: team.response,
    creation: creation(team.create, newName),
  },
} satisfies Resource;
