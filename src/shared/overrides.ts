import { Problem } from '../problem.ts';
import { most } from './bounds.ts';
import { distinct } from './distinct.ts';
import { counted } from './english.ts';
import { isEqual } from './equal.ts';

/** What an overrides operation does with the entries it is given: POST, PATCH or DELETE. */
export type Edit = 'replace' | 'add' | 'remove';

/** Edits a set of ids: each stands once. Where none are given, they stay as they are. */
export function editIDs(edit: Edit, current: string[], given: string[] | undefined): string[] {
  if (!given) return current;
  if (edit === 'replace') return distinct(given);
  if (edit === 'add') return distinct([...current, ...given]);
  const removed = new Set(given);
  return current.filter((id) => !removed.has(id));
}

/** The lists of ids that an entry holds. */
interface IDLists<T> {
  get(entry: T): string[][];
  set(entry: T, lists: string[][]): T;
}

/** The one list of entries that have no other: `ids`. */
export const ownIDs = <T extends { ids: string[] }>(): IDLists<T> => ({
  get: ({ ids }) => [ids],
  set: (entry, [ids = []]) => ({ ...entry, ids }),
});

/**
 * Edits a list of entries, of which one with the same values of `key` is the same entry. Where none are given, they stay
 * as they are.
 * @param lists the lists of ids in an entry: two entries of one key are joined, or subtracted, there; an entry
 *   without any is added or removed as a whole
 */
export function editEntries<T extends object>(
  edit: Edit,
  current: T[],
  given: T[] | undefined,
  key: (keyof T)[],
  lists: IDLists<T> = { get: () => [], set: (entry) => entry },
): T[] {
  if (!given) return current;
  const nameOf = (entry: T) => JSON.stringify(key.map((property) => entry[property] ?? null));
  const held = (entry: T) => ({ entry, sets: lists.get(entry).map((ids) => new Set(ids)) });
  const result = new Map(
    (edit === 'replace' ? [] : current).map((entry) => [nameOf(entry), held(entry)]),
  );
  for (const entry of given) {
    const name = nameOf(entry);
    const old = result.get(name);
    if (edit === 'remove') {
      old?.sets.forEach((ids, index) => {
        for (const id of lists.get(entry)[index] ?? []) ids.delete(id);
      });
      if (old?.sets.every(({ size }) => size === 0)) result.delete(name);
    } else if (old) {
      lists.get(entry).forEach((ids, index) => {
        for (const id of ids) old.sets[index]?.add(id);
      });
    } else result.set(name, held(entry));
  }
  return [...result.values()].map(({ entry, sets }) =>
    lists.set(
      entry,
      sets.map((ids) => [...ids]),
    ),
  );
}

/** What stays beside what a body gives: a replacement leaves nothing of the lists that it names. */
export function keptBeside<O extends object>(
  edit: Exclude<Edit, 'remove'>,
  old: O,
  given: { [List in keyof O]?: unknown },
): O {
  const named = edit === 'replace' ? Object.entries(given).filter(([, list]) => list) : [];
  return { ...old, ...Object.fromEntries(named.map(([name]) => [name, []])) };
}

/**
 * Finds the removals that mean an entry: all that they say of it, but for its ids, is so, and what they leave out, or have
 * as undefined, may be anything. They come in groups of those that say the same.
 */
function finder<P extends object>(given: P[]): (entry: object) => P[][] {
  const saidOf = (one: P) =>
    Object.entries(one).filter(([name, value]) => name !== 'ids' && value !== undefined);
  const namesOf = (one: P) => JSON.stringify(saidOf(one).map(([name]) => name));
  const valuesOf = (one: P) => JSON.stringify(saidOf(one).map(([, value]) => value));
  const forms = [...Map.groupBy(given, namesOf)].map(([json, alike]) => {
    const names: string[] = JSON.parse(json);
    return { names, byValues: Map.groupBy(alike, valuesOf) };
  });
  return (entry) => {
    const own = Object(entry);
    return forms.flatMap(({ names, byValues }) => {
      const alike = byValues.get(JSON.stringify(names.map((name) => own[name])));
      return alike ? [alike] : [];
    });
  };
}

/** Entries without those that a given removal means. */
export function withoutEntries<T extends object>(current: T[], given: T[]): T[] {
  const find = finder(given);
  return current.filter((entry) => find(entry).length === 0);
}

/**
 * Entries without the ids of the removals that mean them; an entry of which no id is left goes.
 * @param whole an entry with what it leaves to others to say
 */
export function withoutIDs<T extends { ids: string[] }, P extends { ids: string[] }>(
  current: T[],
  given: P[],
  whole: (entry: T) => T = (entry) => entry,
): T[] {
  const find = finder(given);
  const known = new Map<P[], Set<string>>(); // made once, however many entries a removal means
  const idsOf = (alike: P[]) => {
    const removed = known.get(alike) ?? new Set(alike.flatMap(({ ids }) => ids));
    known.set(alike, removed);
    return removed;
  };
  return current.flatMap((entry) => {
    const meaning = find(whole(entry)).map(idsOf);
    if (meaning.length === 0) return entry;
    const ids = entry.ids.filter((id) => !meaning.some((removed) => removed.has(id)));
    return ids.length > 0 ? { ...entry, ids } : [];
  });
}

/** 400 where overrides have come to hold more than they may: what is added joins what is there. */
export function requireFew(overrides: object, path = ''): void {
  for (const [name, list] of Object.entries(overrides)) {
    if (!Array.isArray(list)) continue;
    const max = typeof list[0] === 'string' ? most.ids : most.overrides;
    if (list.length > max)
      throw Problem.property(
        `${path}${name}`,
        `would have ${counted(list.length, 'entry')}; it must have at most ${max}`,
      );
    list.forEach((entry, index) => {
      if (typeof entry === 'object') requireFew(entry, `${path}${name}.${index}.`);
    });
  }
}

/**
 * 400 for overrides from elsewhere that no body leads to: an id twice in a list, two entries that are one.
 * @param made what a body of the same makes
 */
export function requireAsMade(overrides: object, made: object): void {
  if (isEqual(overrides, made)) return;
  throw Problem.property(
    'overrides',
    'must be as a body makes them: each entry, and each id, once',
  );
}

/** The entries of one override: the ids in its lists, and itself where it has none. */
function entriesOf(override: unknown): number {
  const lists = Object.values(Object(override)).filter(Array.isArray);
  return Math.max(1, lists.flat().length);
}

/** How many entries overrides have, whatever lists they are kept in: an id is one, and so is an override without ids. */
export const countEntries = (overrides: object): number =>
  Object.values(overrides)
    .filter(Array.isArray)
    .flat()
    .reduce((sum: number, entry) => sum + (typeof entry === 'string' ? 1 : entriesOf(entry)), 0);
