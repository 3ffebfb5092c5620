import { Problem } from '../../problem.ts';
import type { Entity } from './entity.ts';
import type { HookedKind } from './hooks.ts';
import type { Kind, Listing, References } from './kind.ts';
import type { NameKind } from './mentions.ts';

/** Whether lists leave the entity out by default. */
export function isHidden({ list: { hidden } }: Kind<Entity>, entity: Entity): boolean {
  return hidden !== undefined && Object(entity)[hidden.column] === hidden.value;
}

/** Defines a kind whose entities are names that other entities mention. */
export const nameKind = <E extends Entity>(described: Described<E> & { kind: NameKind }) => ({
  ...kind<E>(described),
  kind: described.kind,
});

/** Returns a title as it appears inside a sentence: `gate`, `API key`. */
export const inSentence = (title: string): string =>
  title.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

/** Returns a 404 for an unknown ID. */
export const missing = (title: string, id: string) =>
  new Problem('not_found', `There is no ${inSentence(title)} with the id ${id}.`);

/** Returns a 404 for an unknown version. */
export const missingVersion = (title: string, id: string, version: number | string) =>
  new Problem('not_found', `The ${inSentence(title)} ${id} has no version ${version}.`);

/** The required members of a kind; the others have defaults. */
type Described<E extends Entity> = Pick<HookedKind<E>, 'kind' | 'title' | 'table'> &
  Partial<Omit<HookedKind<E>, 'list' | 'refs'>> & {
    list?: Partial<Listing<E>> & { totals?: readonly (readonly (keyof E & string)[])[] };
    refs?: Partial<References<E>>;
  };

/** Defines a kind of entity, with defaults for its optional members. */
export function kind<E extends Entity>({ list, refs, ...described }: Described<E>): HookedKind<E> {
  const { totals = [[]], ...listing } = list ?? {};
  return {
    isAdministrative: false,
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
