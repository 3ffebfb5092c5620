import type { Kind } from '../recipe/kind.ts';
import type { Company } from '../types.ts';
import { name, settings } from './settings.tsx';

export const company: Kind<Company> = {
  path: 'company',
  one: 'company',
  many: 'Company',
  icon: 'home',
  about: 'What this deployment is called.',
  scope: 'admin',
  isSingle: true,
  isUnnamed: true,
  columns: [],
  facts: ({ strict }) => <span>{strict ? 'registered names alone' : 'any names'}</span>,
  tabs: [
    settings(
      [
        name,
        {
          property: 'strict',
          label: 'Registered names alone',
          as: 'toggle',
          hint: 'Whether entities may name only registered tags, ID types, target apps, teams and environments.',
        },
      ],
      '',
    ),
  ],
};
