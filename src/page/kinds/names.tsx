import type { FieldSpec, Kind } from '../recipe/kind.ts';
import type { Entity, Named } from '../types.ts';
import { count } from '../words.ts';
import { about, brief, name, settings } from './settings.tsx';

type Words = Pick<Kind, 'path' | 'one' | 'many' | 'icon' | 'about'>;

const inUse = ({ uses }: Named) => (uses === 0 ? 'nothing' : count(uses, 'thing'));

/** What a change of a name does to all that say it. */
const everywhere = 'Another name is put in place of it everywhere.';

/** A kind of names that entities say: those that were registered, and those that are only used. */
const namesOf = <E extends Entity & Named>(words: Words, fields: FieldSpec[] = []): Kind<E> => ({
  ...words,
  canSearch: false,
  isUnnamed: true,
  columns: [
    {
      title: 'What it is',
      render: ({ description = '' }) => <span class="clipped">{description}</span>,
    },
    { title: 'Used by', render: inUse },
  ],
  facts: (named) => <span>{`used by ${inUse(named)}`}</span>,
  tabs: [settings([{ ...name, hint: everywhere }, about, ...fields], '')],
  creation: { fields: [name, brief, ...fields] },
});

const core: FieldSpec = {
  property: 'isCore',
  label: 'Core',
  as: 'toggle',
  hint: 'Marks what matters most to an experiment.',
};

const tags = namesOf(
  {
    path: 'tags',
    one: 'tag',
    many: 'Tags',
    icon: 'tag',
    about: 'A tag gathers what belongs together, whatever it is.',
  },
  [core],
);

const unitIDTypes = namesOf({
  path: 'unit_id_types',
  one: 'ID type',
  many: 'ID types',
  icon: 'at',
  about: 'An ID type is what a unit is known by: a user, a device, a company.',
});

const targetApps = namesOf({
  path: 'target_apps',
  one: 'target app',
  many: 'Target apps',
  icon: 'window',
  about: 'A target app is what asks: what is for other apps is not served to it.',
});

const teams = namesOf({
  path: 'teams',
  one: 'team',
  many: 'Teams',
  icon: 'people',
  about: 'A team looks after gates, configs and experiments.',
});

/** Tags, ID types, target apps and teams. */
export const names = [tags, unitIDTypes, targetApps, teams];
