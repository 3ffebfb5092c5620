import { Problem } from '../../problem.ts';
import { memberOf } from '../../shared/value_types.ts';
import type { Entity } from './entity.ts';
import type { Kind } from './kind.ts';
import type { NameKind } from './mentions.ts';

/** Whether lists leave the entity out by default. */
export function isHidden({ hides }: Kind<Entity>, entity: Entity): boolean {
  return hides !== undefined && memberOf(entity, hides.column) === hides.value;
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
type Described<E extends Entity> = Pick<Kind<E>, 'kind' | 'title' | 'table'> &
  Partial<Kind<E>> & { totals?: readonly (readonly (keyof E & string)[])[] };

/** Defines a kind of entity, with defaults for its optional members. */
export function kind<E extends Entity>({ totals = [[]], ...described }: Described<E>): Kind<E> {
  return {
    isAdministrative: false,
    unlisted: {},
    labels: () => ({}),
    references: () => [],
    isReferable: () => true,
    parts: () => [],
    concealed: (entity) => entity,
    standing: async () => ({}),
    restored: (snapshot) => snapshot,
    joined: (entity) => entity,
    sharesIDsWith: [],
    unenforced: () => [],
    completed: async (_tx, _before, wanted) => wanted,
    entails: async () => {},
    ...described,
    totals: [...totals, ['creatorID', 'creatorName']],
  };
}
