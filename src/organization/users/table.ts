import { text } from 'drizzle-orm/sqlite-core';
import type * as z from 'zod';
import { merge, type Patch } from '../../base/fields.ts';
import { nameKind } from '../../model/define_kind.ts';
import { entityTable } from '../../platform/store/sql/columns.ts';
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
  unenforced: (before, { role }) => (role === before?.role ? [] : ['role']),
});

export const newUser = ({ email, ...given }: z.infer<typeof userCreate>) => ({
  id: email,
  email,
  name: email,
  role: 'member' as const,
  ...given,
});

/** Returns a user after a partial update: a name that equals the email follows it. */
export const patchUser = (user: User, body: Patch<User>): User =>
  merge(user, user.name === user.email ? { name: body.email, ...body } : body);
