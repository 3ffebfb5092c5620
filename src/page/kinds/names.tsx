import type { FieldSpec, KindPage } from '../recipe/kind.ts';
import type { Entity, Named } from '../types.ts';
import { count } from '../words.ts';
import { about, name, settings, shortDescription } from './settings.tsx';

type Words = Pick<KindPage, 'path' | 'one' | 'many' | 'icon' | 'about'>;

const usesInWords = ({ uses }: Named) => (uses === 0 ? 'not used' : count(uses, 'use'));

const renameHint = 'Renames it everywhere.';

const namesOf = <E extends Entity & Named>(
  words: Words,
  fields: FieldSpec[] = [],
): KindPage<E> => ({
  ...words,
  canSearch: false,
  isUnnamed: true,
  columns: [
    {
      title: 'Description',
      render: ({ description = '' }) => <span class="clipped">{description}</span>,
    },
    { title: 'Uses', render: usesInWords },
  ],
  facts: (named) => <span>{usesInWords(named)}</span>,
  tabs: [settings([{ ...name, hint: renameHint }, about, ...fields], '')],
  creation: { fields: [name, shortDescription, ...fields] },
});

const core: FieldSpec = {
  property: 'isCore',
  label: 'Core',
  as: 'toggle',
  hint: 'Marks the most important metrics.',
};

const tags = namesOf(
  {
    path: 'tags',
    one: 'tag',
    many: 'Tags',
    icon: 'tag',
    about: 'A tag groups related things.',
  },
  [core],
);

const unitIDTypes = namesOf({
  path: 'unit_id_types',
  one: 'ID type',
  many: 'ID types',
  icon: 'at',
  about: 'An ID type is the unit to bucket: a user, a device, a company.',
});

const targetApps = namesOf({
  path: 'target_apps',
  one: 'target app',
  many: 'Target apps',
  icon: 'window',
  about: 'A target app limits which flags an application receives.',
});

const teams = namesOf({
  path: 'teams',
  one: 'team',
  many: 'Teams',
  icon: 'people',
  about: 'A team owns gates, configs and experiments.',
});

export const names = [tags, unitIDTypes, targetApps, teams];
