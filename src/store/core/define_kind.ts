import { Problem } from '../../problem.ts';
import type { Entity } from './entity.ts';
import type { Kind } from './kind.ts';
import type { NameKind } from './mentions.ts';

/** Whether lists leave an entity out unless asked for all. */
export function isHidden({ hides }: Kind<Entity>, entity: Entity): boolean {
  return hides !== undefined && Object(entity)[hides.column] === hides.value;
}

/** A kind whose entities are names that others say. */
export const nameKind = <E extends Entity>(described: Described<E> & { kind: NameKind }) => ({
  ...kind<E>(described),
  kind: described.kind,
});

/** How a sentence calls a kind, by its title: `gate`, `API key`. */
export const inSentence = (title: string): string =>
  title.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

/** 404 for an id that nothing has. */
export const missing = (title: string, id: string) =>
  new Problem('not_found', `There is no ${inSentence(title)} with the id ${id}.`);

/** 404 for a version that an entity never had. */
export const missingVersion = (title: string, id: string, version: number | string) =>
  new Problem('not_found', `The ${inSentence(title)} ${id} has no version ${version}.`);

/** What must be said of a kind; the rest has a usual answer. */
type Described<E extends Entity> = Pick<Kind<E>, 'kind' | 'title' | 'table'> &
  Partial<Kind<E>> & { totals?: readonly (readonly (keyof E & string)[])[] };

/** Describes a kind of entity; what it needs not say is filled in. */
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
