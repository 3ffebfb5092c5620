import type { Resource } from '../resource.ts';
import { creation } from '../transfer/portability.ts';
import { userRoutes } from './routes.ts';
import { userCreate, userResponse } from './schema.ts';
import { newUser, users } from './table.ts';

export const userResource = {
  path: 'users',
  kind: users,
  routes: userRoutes,
  transfer: { stage: 'names', stored: userResponse, creation: creation(userCreate, newUser) },
} satisfies Resource;
