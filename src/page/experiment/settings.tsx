import type { Entity } from '../base/types.ts';
import { capital } from '../base/words.ts';
import { Fields } from '../entity/edit/fields.tsx';
import type { Edited, Editing, EntityValues, FieldSpec, SavedApart, Tab } from '../entity/kind.ts';

export const reason: FieldSpec = { property: 'decisionReason', label: 'Why', isNeeded: true };

export const name: FieldSpec = { property: 'name', isNeeded: true };
export const about: FieldSpec = { property: 'description', as: 'long' };
export const shortDescription: FieldSpec = { property: 'description' };
export const idType: FieldSpec = {
  property: 'idType',
  names: 'unit_id_types',
  hint: 'The ID that is bucketed, e.g. userID or stableID.',
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

/** Returns the fields of a decision: the chosen option and the reason. */
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

export const filledIn = (values: EntityValues) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

export const environment: FieldSpec = {
  property: 'environment',
  names: 'environments',
  empty: null,
  placeholder: 'all environments',
};

export const overrides: SavedApart<Entity & { overrides: object }> = {
  property: 'overrides',
  path: '/overrides',
  method: 'POST',
  body: (_, after) => after.overrides,
};

/** Narrows an edited entity to its overrides. */
export const overridesIn = <O extends object>({
  value: { overrides: value },
  set,
  ...rest
}: Edited<{ overrides: O }>): Edited<O> => ({
  ...rest,
  value,
  set: (edits) => set({ overrides: { ...value, ...edits } }),
});

/** Displays fields of an entity. */
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

/** Returns a tab of fields. */
export const settings = <E extends Entity>(
  specs: FieldSpec[],
  path = 'settings',
  title = 'Settings',
): Tab<E> => ({
  path,
  title,
  View: ({ editing }) => <FieldsOf editing={editing} specs={specs} />,
});
