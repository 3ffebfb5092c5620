import type { User } from '../base/types.ts';
import { count } from '../base/words.ts';
import type { FieldSpec, KindPage } from '../entity/kind.ts';
import { filledIn, settings } from '../experiment/settings.tsx';

const roles: Record<User['role'], string> = {
  admin: 'Admin',
  member: 'Member',
  viewer: 'Viewer',
};

const fields: FieldSpec[] = [
  { property: 'email', isNeeded: true },
  { property: 'name' },
  {
    property: 'role',
    as: 'choice',
    options: roles,
    hint: 'Stored, but not used yet.',
  },
];

export const users: KindPage<User> = {
  path: 'users',
  kind: 'user',
  group: 'Settings',
  one: 'user',
  many: 'Users',
  icon: 'person',
  about: 'A user owns API keys.',
  scope: 'admin',
  canSearch: false,
  isUnnamed: true,
  columns: [
    { title: 'Role', render: ({ role }) => roles[role] },
    { title: 'Keys', render: ({ uses }) => count(uses, 'key') },
  ],
  facts: ({ role, uses }) => (
    <>
      <span>{roles[role]}</span>
      <span>{`owns ${count(uses, 'key')}`}</span>
    </>
  ),
  tabs: [settings(fields, '')],
  creation: {
    fields,
    values: { role: 'member' },
    body: filledIn,
  },
};
