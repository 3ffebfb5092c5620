import { Problem } from '../../../base/problem.ts';
import { memberOf } from '../../../base/value_types.ts';
import type { Entity } from './entity.ts';
import type { HookedKind } from './hooks.ts';
import type { Kind, Listing, References } from './kind.ts';
import type { Model } from './model.ts';

/** Whether lists leave the entity out by default. */
export function isHidden({ list: { hidden } }: Kind<Entity>, entity: Entity): boolean {
  return hidden !== undefined && memberOf(entity, hidden.column) === hidden.value;
}

/** Returns a title as it appears inside a sentence: `gate`, `API key`. */
export const inSentence = (title: string): string =>
  title.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

/** Returns a 404 for an unknown ID. */
export const missing = (title: string, id: string) =>
  new Problem('not_found', `There is no ${inSentence(title)} with the id ${id}.`);

/** Returns a 404 for an unknown version. */
export const missingVersion = (title: string, id: string, version: number | string) =>
  new Problem('not_found', `The ${inSentence(title)} ${id} has no version ${version}.`);

export type Described<E extends Entity> = Pick<HookedKind<E>, 'kind' | 'title' | 'table'> &
  Partial<Omit<HookedKind<E>, 'list' | 'refs' | 'model' | 'stamped'>> & {
    stamped?: readonly (keyof E & string)[];
    list?: Partial<Listing<E>> & { totals?: readonly (readonly (keyof E & string)[])[] };
    refs?: Partial<References<E>>;
  };

/** Returns a kind of entity of a project, with defaults for its optional members. */
export function defineKind<E extends Entity>(
  model: Model,
  { list, refs, ...described }: Described<E>,
): HookedKind<E> {
  const { totals = [[]], ...listing } = list ?? {};
  return {
    model,
    isAdministrative: false,
    stamped: [],
    list: {
      omitted: {},
      labels: () => ({}),
      ...listing,
      totals: [...totals, ['creatorID', 'creatorName']],
    },
    refs: {
      outgoing: () => [],
      referable: () => true,
      parts: () => [],
      idsSharedWith: [],
      ...refs,
    },
    redact: (entity) => entity,
    normalizeRestored: (snapshot) => snapshot,
    mergeOverrides: (entity) => entity,
    unenforced: () => [],
    initialProperties: async () => ({}),
    normalize: async (_tx, _before, wanted) => wanted,
    validate: async () => {},
    ...described,
  };
}
