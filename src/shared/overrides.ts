import { Problem } from '../problem.ts';
import { most } from './bounds.ts';
import { distinct } from './distinct.ts';
import { counted } from './english.ts';
import { isEqual } from './equal.ts';
import { sumOf } from './numbers.ts';

/** What an overrides operation does with the entries it is given: POST or PATCH. */
export type Edit = 'replace' | 'add';

/** Edits a set of ids: each stands once. Where none are given, they stay as they are. */
export const editIDs = (edit: Edit, current: string[], given: string[] | undefined): string[] =>
  given ? distinct(edit === 'replace' ? given : [...current, ...given]) : current;

/** A text without the blanks around it that it may be stored with since before they were taken off. */
const bare = (value: unknown) => (typeof value === 'string' ? value.trim() : value);

/** A set of ids without some. */
export function withoutIDs(current: string[], given: readonly string[] = []): string[] {
  const removed = new Set(given);
  return current.filter((id) => !removed.has(id.trim()));
}

/** The lists of ids in an entry, by their names. */
const listsOf = (entry: object): [name: string, ids: string[]][] =>
  Object.entries(entry).filter(([, value]) => Array.isArray(value));

/** What an entry says of itself, but for its ids; what is empty or null says nothing. */
export const sayingOf = (entry: object): string =>
  JSON.stringify(
    Object.entries(entry)
      .filter(([, value]) => value && !Array.isArray(value))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );

/** Entries that say the same as one, which has the ids of all. */
function joined<T extends object>(first: T, others: T[]): T {
  const alike = [first, ...others].map((entry) => Object(entry));
  const lists = listsOf(first).map(([name]) => [
    name,
    distinct(alike.flatMap((entry) => entry[name])),
  ]);
  return { ...first, ...Object.fromEntries(lists) };
}

/** Edits a list of entries, of which those that say the same are one. Where none are given, they stay as they are. */
export function editEntries<T extends object>(
  edit: Edit,
  current: T[],
  given: T[] | undefined,
): T[] {
  if (!given) return current;
  const all = edit === 'replace' ? given : [...current, ...given];
  const bySaying = Map.groupBy(all, sayingOf);
  return [...bySaying.values()].flatMap(([first, ...others]) =>
    first ? joined(first, others) : [],
  );
}

/** What stays beside what a body gives: a replacement leaves nothing of the lists that it names. */
export function keptBeside<O extends object>(
  edit: Edit,
  old: O,
  given: { [List in keyof O]?: unknown },
): O {
  const named = edit === 'replace' ? Object.entries(given).filter(([, list]) => list) : [];
  return { ...old, ...Object.fromEntries(named.map(([name]) => [name, []])) };
}

/** The ids of some removals, by the names of their lists. */
const idsIn = (removals: object[]): Map<string, Set<string>> =>
  new Map(
    [...Map.groupBy(removals.flatMap(listsOf), ([name]) => name)].map(([name, lists]) => [
      name,
      new Set(lists.flatMap(([, ids]) => ids)),
    ]),
  );

/**
 * Finds the removals that mean an entry: all that they say of it, but for its ids, is so, and what they leave out, or have
 * as undefined, may be anything. Of those that say the same, it answers the ids together.
 */
function finder(given: object[]): (entry: object) => Map<string, Set<string>>[] {
  const saidOf = (one: object) =>
    Object.entries(one).filter(([, value]) => value !== undefined && !Array.isArray(value));
  const namesOf = (one: object) => JSON.stringify(saidOf(one).map(([name]) => name));
  const valuesOf = (one: object) => JSON.stringify(saidOf(one).map(([, value]) => bare(value)));
  const forms = [...Map.groupBy(given, namesOf)].map(([json, alike]) => {
    const names: string[] = JSON.parse(json);
    const byValues = [...Map.groupBy(alike, valuesOf)];
    return { names, ids: new Map(byValues.map(([values, same]) => [values, idsIn(same)])) };
  });
  return (entry) => {
    const own = Object(entry);
    return forms.flatMap(
      ({ names, ids }) => ids.get(JSON.stringify(names.map((name) => bare(own[name])))) ?? [],
    );
  };
}

/**
 * Entries without the ids of the removals that mean them; one of which no id is left goes, as does one that holds none.
 * @param whole an entry with what it leaves to others to say
 */
export function withoutEntries<T extends object>(
  current: T[],
  given: object[],
  whole: (entry: T) => T = (entry) => entry,
): T[] {
  const find = finder(given);
  return current.flatMap((entry) => {
    const meaning = find(whole(entry));
    if (meaning.length === 0) return entry;
    const left = listsOf(entry).map(([name, ids]): [string, string[]] => [
      name,
      ids.filter((id) => !meaning.some((removed) => removed.get(name)?.has(id.trim()))),
    ]);
    const isEmpty = left.every(([, ids]) => ids.length === 0);
    return isEmpty ? [] : { ...entry, ...Object.fromEntries(left) };
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
 * 400 for an entity from elsewhere with overrides that no body leads to: an id twice in a list, two entries that are one.
 * @param made what a body of the same makes of it
 */
export function requireAsMade(entity: object, made: object): void {
  if (isEqual(entity, made)) return;
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
  sumOf(
    Object.values(overrides)
      .filter(Array.isArray)
      .flat()
      .map((entry) => (typeof entry === 'string' ? 1 : entriesOf(entry))),
  );
