import * as z from 'zod';
import { partName, stamps, stampsExample } from '../../base/fields.ts';
import { mergeOption, usedNameSchema } from '../../platform/resource/name_schemas.ts';

export const roles = ['admin', 'member', 'viewer'] as const;

export const role = z.enum(roles).meta({
  id: 'Role',
});

const example = { email: 'ada@shop.example', name: 'Ada', role: 'member' };

const registeredExample = { id: example.email, ...example, ...stampsExample };

export const userResponse = z
  .object({ id: z.string(), email: z.string(), name: z.string(), role, ...stamps })
  .meta({ id: 'User', examples: [registeredExample] });

export type User = z.infer<typeof userResponse>;

export const usedUser = usedNameSchema(userResponse, 'UsedUser', registeredExample);

const fields = z.object({ email: z.email().max(200), name: partName, role }).partial();

export const userPatch = fields
  .extend(mergeOption)
  .meta({ id: 'UserPatch', examples: [{ role: 'admin' }] });

export const userCreate = fields
  .required({ email: true })
  .meta({ id: 'UserCreate', examples: [example] });
