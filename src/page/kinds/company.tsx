import type { KindPage } from '../recipe/kind.ts';
import type { Company } from '../types.ts';
import { name, settings } from './settings.tsx';

export const company: KindPage<Company> = {
  path: 'company',
  kind: 'company',
  group: 'Settings',
  one: 'company',
  many: 'Company',
  icon: 'home',
  about: 'The name of this deployment.',
  scope: 'admin',
  isSingle: true,
  isUnnamed: true,
  columns: [],
  facts: ({ strict }) => <span>{strict ? 'registered names only' : 'any names'}</span>,
  tabs: [
    settings(
      [
        name,
        {
          property: 'strict',
          label: 'Registered names only',
          as: 'toggle',
          hint: 'Rejects unregistered tags, ID types, target apps, teams and environments.',
        },
      ],
      '',
    ),
  ],
};
