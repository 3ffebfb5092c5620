import * as z from 'zod';
import { counted } from '../shared/english.ts';
import { countEntries, type Edit, sayingOf } from '../shared/overrides.ts';
import {
  editUnitOverrides,
  removeUnitOverrides,
  type UnitOverrides,
  unitOverridesRequest,
  unitOverridesResponse,
} from '../shared/unit_overrides.ts';
import type { Entity } from '../store/core/entity.ts';
import type { Kind } from '../store/core/kind.ts';
import { type Change, change } from './changing.ts';
import { nounOf, type Remark, type Shown } from './shown.ts';

interface Overridable<E extends Entity, S extends z.ZodType> extends Shown<E> {
  request: S;
  /** What the body leaves to others to say. */
  complete?: Change<E, S>['complete'];
  edit: (entity: E, edit: Edit, body: z.output<S>) => E;
}

const called = { part: 'overrides', done: 'updated' };

const entriesIn = (overrides: object, list: string): object[] => Object(overrides)[list] ?? [];

/** The places of entries that are new among overrides, and those that they have in the body: `overrides.3.` is `overrides.0.`. */
function placesOf(before: object, after: object, body: object): Map<string, string> {
  const places = new Map<string, string>();
  for (const [list, given] of Object.entries(body)) {
    if (!Array.isArray(given) || typeof given[0] !== 'object') continue;
    const fresh = entriesIn(before, list).length;
    const kept = new Map(
      entriesIn(after, list).map((entry, place) => [sayingOf(entry), place] as const),
    );
    given.forEach((entry, index) => {
      const place = kept.get(sayingOf(entry)) ?? -1;
      const name = `${list}.${place}.`;
      if (place >= fresh && !places.has(name)) places.set(name, `${list}.${index}.`);
    });
  }
  return places;
}

/** Replaces or adds to an entity's overrides. */
export const editOverrides = <E extends Entity, S extends z.ZodType>(
  of: Overridable<E, S>,
  edit: Edit,
) =>
  change(of, {
    summary: `${edit === 'replace' ? 'Replace' : 'Add to'} the overrides of one ${nounOf(of)}`,
    action: `${edit}_overrides`,
    ...called,
    body: of.request,
    complete: of.complete,
    next(entity, body, _author, tx) {
      const after = of.edit(entity, edit, body);
      const kept = edit === 'add' ? of.view(entity) : {};
      tx.sentAs = placesOf(kept, of.view(after), Object(body));
      return after;
    },
  });

/** Overrides of which some can be removed by what they have in common. */
interface Removable<E extends Entity, S extends z.ZodType> extends Shown<E> {
  removal: S;
  remove: (entity: E, body: z.output<S>) => E;
}

const removed = z.int().meta({
  description: 'How many entries are gone: ids, and whole overrides that hold none.',
  examples: [1],
});

/** How the message of a removal ends. */
const removedInWords = (gone: number) => `, ${counted(gone, 'entry')} removed`;

/** Says how many entries a removal took away, so that one that met none is no silent success. */
const counting = <E extends Entity>({ view }: Shown<E>): Remark<E> => ({
  members: { removed },
  ending: removedInWords(1),
  prepare: async () => (before, after) => {
    const gone = (before ? countEntries(view(before)) : 0) - countEntries(view(after));
    return { ending: removedInWords(gone), members: { removed: gone } };
  },
});

/** Removes those of an entity's overrides that fit, or all without a body, and answers how many there were. */
export const removeOverrides = <E extends Entity, S extends z.ZodType>(of: Removable<E, S>) =>
  change(of, {
    summary: `Remove overrides, or all without a body, of one ${nounOf(of)}`,
    action: 'remove_overrides',
    ...called,
    body: of.removal,
    next: of.remove,
    remark: counting(of),
  });

/** The overrides of a kind that puts units on one side or the other, as its routes take them. */
export const unitOverrides = <E extends Entity & { overrides: UnitOverrides }>(kind: Kind<E>) => ({
  kind,
  request: unitOverridesRequest,
  response: unitOverridesResponse,
  view: ({ overrides }: E) => overrides,
  edit: editUnitOverrides<E>,
  removal: unitOverridesRequest,
  remove: removeUnitOverrides<E>,
});
