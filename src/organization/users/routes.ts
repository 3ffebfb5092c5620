import { requires } from '../../platform/http/scope.ts';
import { nameRoutes } from '../../platform/resource/names.ts';
import { usedUser, userCreate, userPatch, userResponse } from './schema.ts';
import { newUser, patchUser, users } from './table.ts';

export const userRoutes = nameRoutes(users, {
  schemas: { response: userResponse, used: usedUser, create: userCreate, patch: userPatch },
  make: newUser,
  draft: (email) => newUser({ email }),
  next: patchUser,
  access: requires('admin'),
});
