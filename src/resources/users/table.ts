import { text } from 'drizzle-orm/sqlite-core';
import type * as z from 'zod';
import { entityTable } from '../../store/columns.ts';
import { nameKind } from '../../store/kind.ts';
import { roles, type User, type userCreate } from './schema.ts';

export const userTable = entityTable('users', {
  email: text().notNull(),
  name: text().notNull(),
  role: text({ enum: roles }).notNull(),
});

export const users = nameKind<User>({
  kind: 'user',
  title: 'User',
  isAdministrative: true,
  table: userTable,
  idOf: ({ email }) => email,
});

/** A user from the body of its registration; of one that is only used, its email is all there is. */
export const newUser = ({ email, ...given }: z.infer<typeof userCreate>) => ({
  id: email,
  email,
  name: email,
  role: 'member' as const,
  ...given,
});
