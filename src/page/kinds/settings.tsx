import { Fields } from '../recipe/fields.tsx';
import type { Edited, Editing, FieldSpec, SavedApart, Tab, Values } from '../recipe/kind.ts';
import type { Entity } from '../types.ts';
import { capital } from '../words.ts';

/** Why something is decided. */
export const reason: FieldSpec = { property: 'decisionReason', label: 'Why', isNeeded: true };

/** Fields that most kinds have. */
export const name: FieldSpec = { property: 'name', isNeeded: true };
export const about: FieldSpec = { property: 'description', as: 'long' };
/** The same of a new one, in a line. */
export const brief: FieldSpec = { property: 'description' };
export const idType: FieldSpec = {
  property: 'idType',
  names: 'unit_id_types',
  hint: 'What is bucketed, e.g. userID or stableID.',
};
export const tags: FieldSpec = { property: 'tags', as: 'tokens', names: 'tags' };
export const targetApps: FieldSpec = {
  property: 'targetApps',
  as: 'tokens',
  names: 'target_apps',
  placeholder: 'all apps',
};
export const team: FieldSpec = { property: 'team', names: 'teams' };
export const teamOrNone: FieldSpec = { ...team, empty: null };

/** What is decided, and why: one of some, by its id. */
export const decision = (noun: string, options: Record<string, string>): FieldSpec[] => [
  {
    property: 'id',
    label: capital(noun),
    as: 'choice',
    options: { '': `Choose a ${noun}`, ...options },
    isNeeded: true,
  },
  reason,
];

/** The body of a new one without what is left empty. */
export const filledIn = (values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

/** One environment, or none in particular. */
export const environment: FieldSpec = {
  property: 'environment',
  names: 'environments',
  empty: null,
  placeholder: 'all environments',
};

/** The overrides of an entity, which have a path of their own. */
export const overrides: SavedApart<Entity & { overrides: object }> = {
  property: 'overrides',
  path: '/overrides',
  method: 'POST',
  body: (_, after) => after.overrides,
};

/** The overrides of an entity as they are edited: what is said of them has their own names. */
export const overridesIn = <O extends object>({
  value: { overrides: value },
  set,
  ...rest
}: Edited<{ overrides: O }>): Edited<O> => ({
  ...rest,
  value,
  set: (edits) => set({ overrides: { ...value, ...edits } }),
});

/** Fields of an entity as a part of its page. */
export const FieldsOf = <E extends Entity>({
  editing,
  specs,
}: {
  editing: Editing<E>;
  specs: FieldSpec[];
}) => (
  <div class="settings">
    <Fields {...editing} specs={specs} />
  </div>
);

/** The tab that holds what has no tab of its own. */
export const settings = <E extends Entity>(
  specs: FieldSpec[],
  path = 'settings',
  title = 'Settings',
): Tab<E> => ({
  path,
  title,
  View: ({ editing }) => <FieldsOf editing={editing} specs={specs} />,
});
