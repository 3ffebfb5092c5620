import type { Entity, WithUses } from '../base/types.ts';
import type { FieldSpec, KindPage } from '../entity/kind.ts';
import { about, name, settings, shortDescription } from '../experiment/settings.tsx';
import { usesInWords } from '../ui/names.ts';

type KindWords = Pick<KindPage, 'path' | 'kind' | 'one' | 'many' | 'icon' | 'about'>;

const renameHint = 'Renames it everywhere.';

const namesPage = <E extends Entity & WithUses>(
  words: KindWords,
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
    { title: 'Uses', render: ({ uses }) => usesInWords(uses) },
  ],
  facts: ({ uses }) => <span>{usesInWords(uses)}</span>,
  tabs: [settings([{ ...name, hint: renameHint }, about, ...fields], '')],
  creation: { fields: [name, shortDescription, ...fields] },
});

const core: FieldSpec = {
  property: 'isCore',
  label: 'Core',
  as: 'toggle',
  hint: 'Marks the most important metrics.',
};

const tags = namesPage(
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

const unitIDTypes = namesPage({
  path: 'unit_id_types',
  kind: 'unit_id_type',
  one: 'ID type',
  many: 'ID types',
  icon: 'at',
  about: 'An ID type is the unit to bucket: a user, a device, a company.',
});

const targetApps = namesPage({
  path: 'target_apps',
  kind: 'target_app',
  one: 'target app',
  many: 'Target apps',
  icon: 'window',
  about: 'A target app limits which flags an application receives.',
});

const teams = namesPage({
  path: 'teams',
  kind: 'team',
  one: 'team',
  many: 'Teams',
  icon: 'people',
  about: 'A team owns gates, configs and experiments.',
});

export const names = [tags, unitIDTypes, targetApps, teams];
