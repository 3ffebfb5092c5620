import { text } from 'drizzle-orm/sqlite-core';
import { entityTable } from '../../store/columns.ts';
import { nameKind } from '../../store/kind.ts';
import { roles, type User } from './schema.ts';

export const userTable = entityTable('users', {
  email: text().notNull(),
  name: text().notNull(),
  role: text({ enum: roles }).notNull(),
});

export const users = nameKind<User>({
  kind: 'user',
  title: 'User',
  table: userTable,
  idOf: ({ email }) => email,
});
