import { creation } from '../../platform/resource/portable.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { userRoutes } from './routes.ts';
import { userCreate, userResponse } from './schema.ts';
import { newUser, users } from './table.ts';

export const userResource = {
  path: 'users',
  kind: users,
  routes: userRoutes,
  transfer: { stage: 'names', stored: userResponse, creation: creation(userCreate, newUser) },
} satisfies Resource;
