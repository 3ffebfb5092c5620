import type { Company } from '../base/types.ts';
import type { KindPage } from '../entity/kind.ts';
import { name, settings } from '../experiment/settings.tsx';

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
