import type { Entity, Named } from '../base/types.ts';
import { count } from '../base/words.ts';
import type { FieldSpec, KindPage } from '../entity/kind.ts';
import { about, name, settings, shortDescription } from '../experiment/settings.tsx';

type Words = Pick<KindPage, 'path' | 'kind' | 'one' | 'many' | 'icon' | 'about'>;

const usesInWords = ({ uses }: Named) => (uses === 0 ? 'not used' : count(uses, 'use'));

const renameHint = 'Renames it everywhere.';

const namesOf = <E extends Entity & Named>(
  words: Words,
  fields: FieldSpec[] = [],
): KindPage<E> => ({
  ...words,
  group: 'Settings',
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
    kind: 'tag',
    one: 'tag',
    many: 'Tags',
    icon: 'tag',
    about: 'A tag groups related things.',
  },
  [core],
);

const unitIDTypes = namesOf({
  path: 'unit_id_types',
  kind: 'unit_id_type',
  one: 'ID type',
  many: 'ID types',
  icon: 'at',
  about: 'An ID type is the unit to bucket: a user, a device, a company.',
});

const targetApps = namesOf({
  path: 'target_apps',
  kind: 'target_app',
  one: 'target app',
  many: 'Target apps',
  icon: 'window',
  about: 'A target app limits which flags an application receives.',
});

const teams = namesOf({
  path: 'teams',
  kind: 'team',
  one: 'team',
  many: 'Teams',
  icon: 'people',
  about: 'A team owns gates, configs and experiments.',
});

export const names = [tags, unitIDTypes, targetApps, teams];
