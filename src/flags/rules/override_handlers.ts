import * as z from 'zod';
import { counted } from '../../base/english.ts';
import { memberOf, recordOf } from '../../base/value_types.ts';
import { type ChangeOptions, changeHandlers } from '../../platform/operations/changing.ts';
import { type Handled, nounOf, type Remark } from '../../platform/operations/resource.ts';
import type { Entity } from '../../platform/store/core/entity.ts';
import type { HookedKind } from '../../platform/store/core/hooks.ts';
import { countEntries, type Edit, overrideIdentity } from './overrides.ts';
import {
  editUnitOverrides,
  removeUnitOverrides,
  type UnitOverrides,
  unitOverridesRequest,
  unitOverridesResponse,
} from './unit_overrides.ts';

interface Overridable<E extends Entity, S extends z.ZodType> extends Handled<E> {
  request: S;
  complete?: ChangeOptions<E, S>['complete'];
  edit: (entity: E, edit: Edit, body: z.output<S>) => E;
}

const naming = { part: 'overrides', done: 'updated' };

const entriesIn = (overrides: object, list: string): object[] => {
  const entries = memberOf(overrides, list);
  return Array.isArray(entries) ? entries : [];
};

/** Maps the prefixes of new stored entries to their prefixes in the body: `overrides.3.` to `overrides.0.`. */
function bodyPrefixes(before: object, after: object, body: object): Map<string, string> {
  const places = new Map<string, string>();
  for (const [list, given] of Object.entries(body)) {
    if (!Array.isArray(given) || typeof given[0] !== 'object') continue;
    const fresh = entriesIn(before, list).length;
    const kept = new Map(
      entriesIn(after, list).map((entry, place) => [overrideIdentity(entry), place] as const),
    );
    given.forEach((entry, index) => {
      const place = kept.get(overrideIdentity(entry)) ?? -1;
      const name = `${list}.${place}.`;
      if (place >= fresh && !places.has(name)) places.set(name, `${list}.${index}.`);
    });
  }
  return places;
}

/** Returns handlers that replace or add overrides of an entity. */
export const editOverrides = <E extends Entity, S extends z.ZodType>(
  of: Overridable<E, S>,
  edit: Edit,
) =>
  changeHandlers(of, {
    summary: `${edit === 'replace' ? 'Replace' : 'Add to'} the overrides of one ${nounOf(of)}`,
    action: `${edit}_overrides`,
    ...naming,
    body: of.request,
    complete: of.complete,
    next(entity, body, _author, tx) {
      const after = of.edit(entity, edit, body);
      const kept = edit === 'add' ? of.view(entity) : {};
      tx.bodyPrefixes = bodyPrefixes(kept, of.view(after), recordOf(body));
      return after;
    },
  });

interface Removable<E extends Entity, S extends z.ZodType> extends Handled<E> {
  removal: S;
  remove: (entity: E, body: z.output<S>) => E;
}

const removed = z.int().meta({
  examples: [1],
});

const removedText = (gone: number) => `, ${counted(gone, 'entry')} removed`;

/** A removal without effect is visible by its number of entries. */
const countRemoved = <E extends Entity>({ view }: Handled<E>): Remark<E> => ({
  members: { removed },
  ending: removedText(1),
  prepare: async () => (before, after) => {
    const gone = (before ? countEntries(view(before)) : 0) - countEntries(view(after));
    return { ending: removedText(gone), members: { removed: gone } };
  },
});

/** Returns handlers that remove the matching overrides of an entity, or all without a body. */
export const removeOverrides = <E extends Entity, S extends z.ZodType>(of: Removable<E, S>) =>
  changeHandlers(of, {
    summary: `Remove overrides, or all without a body, of one ${nounOf(of)}`,
    action: 'remove_overrides',
    ...naming,
    body: of.removal,
    next: of.remove,
    remark: countRemoved(of),
  });

/** Returns the overrides of units that pass or fail, as a resource. */
export const unitOverrides = <E extends Entity & { overrides: UnitOverrides }>(
  kind: HookedKind<E>,
) => ({
  kind,
  request: unitOverridesRequest,
  response: unitOverridesResponse,
  view: ({ overrides }: E) => overrides,
  edit: editUnitOverrides<E>,
  removal: unitOverridesRequest,
  remove: removeUnitOverrides<E>,
});
