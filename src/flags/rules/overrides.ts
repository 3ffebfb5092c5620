import { distinct } from '../../base/distinct.ts';
import { isEqual } from '../../base/equal.ts';
import { limits } from '../../base/limits.ts';
import { sumOf } from '../../base/numbers.ts';
import { Problem } from '../../base/problem.ts';
import { memberOf, recordOf } from '../../base/value_types.ts';

export type Edit = 'replace' | 'add';

/** Replaces or adds IDs, each once; undefined changes nothing. */
export const editIDs = (edit: Edit, current: string[], given: string[] | undefined): string[] =>
  given ? distinct(edit === 'replace' ? given : [...current, ...given]) : current;

/** Returns a text without outer blanks, which older stored overrides may have. */
const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value);

/** Removes IDs. */
export function withoutIDs(current: string[], given: readonly string[] = []): string[] {
  const removed = new Set(given);
  return current.filter((id) => !removed.has(id.trim()));
}

const listsOf = (entry: object): [name: string, ids: string[]][] =>
  Object.entries(entry).filter(([, value]) => Array.isArray(value));

/** Returns the identity of an entry: its properties except ID lists and empty values. */
export const overrideIdentity = (entry: object): string =>
  JSON.stringify(
    Object.entries(entry)
      .filter(([, value]) => value && !Array.isArray(value))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );

function mergeEntries<T extends object>(first: T, others: T[]): T {
  const alike = [first, ...others];
  const lists = listsOf(first).map(([name]) => [
    name,
    distinct(alike.flatMap((entry) => memberOf(entry, name))),
  ]);
  return { ...first, ...Object.fromEntries(lists) };
}

/** Replaces or adds entries, merging those with the same identity; undefined changes nothing. */
export function editEntries<T extends object>(
  edit: Edit,
  current: T[],
  given: T[] | undefined,
): T[] {
  if (!given) return current;
  const all = edit === 'replace' ? given : [...current, ...given];
  const byIdentity = Map.groupBy(all, overrideIdentity);
  return [...byIdentity.values()].flatMap(([first, ...others]) =>
    first ? mergeEntries(first, others) : [],
  );
}

/** Returns the overrides that a body does not replace. */
export function unreplacedOverrides<O extends object>(
  edit: Edit,
  old: O,
  given: { [List in keyof O]?: unknown },
): O {
  const named = edit === 'replace' ? Object.entries(given).filter(([, list]) => list) : [];
  return { ...old, ...Object.fromEntries(named.map(([name]) => [name, []])) };
}

const removedIDs = (removals: object[]): Map<string, Set<string>> =>
  new Map(
    [...Map.groupBy(removals.flatMap(listsOf), ([name]) => name)].map(([name, lists]) => [
      name,
      new Set(lists.flatMap(([, ids]) => ids)),
    ]),
  );

/** A removal matches if all its properties except ID lists are equal; missing or undefined ones match any value. */
function finder(given: object[]): (entry: object) => Map<string, Set<string>>[] {
  const ownProperties = (one: object) =>
    Object.entries(one).filter(([, value]) => value !== undefined && !Array.isArray(value));
  const namesOf = (one: object) => JSON.stringify(ownProperties(one).map(([name]) => name));
  const valuesOf = (one: object) =>
    JSON.stringify(ownProperties(one).map(([, value]) => trimmed(value)));
  const forms = [...Map.groupBy(given, namesOf)].map(([json, alike]) => {
    const names: string[] = JSON.parse(json);
    const byValues = [...Map.groupBy(alike, valuesOf)];
    return { names, ids: new Map(byValues.map(([values, same]) => [values, removedIDs(same)])) };
  });
  return (entry) => {
    const own = recordOf(entry);
    return forms.flatMap(
      ({ names, ids }) => ids.get(JSON.stringify(names.map((name) => trimmed(own[name])))) ?? [],
    );
  };
}

/** Removes the IDs of matching removals, and entries without any left; `whole` completes an entry to compare. */
export function withoutEntries<T extends object>(
  current: T[],
  given: object[],
  whole: (entry: T) => T = (entry) => entry,
): T[] {
  const find = finder(given);
  return current.flatMap((entry) => {
    const matches = find(whole(entry));
    if (matches.length === 0) return entry;
    const left = listsOf(entry).map(([name, ids]): [string, string[]] => [
      name,
      ids.filter((id) => !matches.some((removed) => removed.get(name)?.has(id.trim()))),
    ]);
    const isEmpty = left.every(([, ids]) => ids.length === 0);
    return isEmpty ? [] : { ...entry, ...Object.fromEntries(left) };
  });
}

/** Throws Problem 400 if an addition makes overrides exceed their limits. */
export function requireFew(overrides: object, path = ''): void {
  for (const [name, list] of Object.entries(overrides)) {
    if (!Array.isArray(list)) continue;
    const max = typeof list[0] === 'string' ? limits.ids : limits.overrides;
    if (list.length > max)
      throw Problem.property(
        `${path}${name}`,
        `must have at most ${max} entries; it would have ${list.length}`,
      );
    list.forEach((entry, index) => {
      if (typeof entry === 'object') requireFew(entry, `${path}${name}.${index}.`);
    });
  }
}

/** Throws Problem 400 for imported overrides that differ from their normalized form. */
export function requireNormalized(entity: object, made: object): void {
  if (isEqual(entity, made)) return;
  throw Problem.property('overrides', 'must contain each entry and each id once');
}

function sizeOfOverride(override: unknown): number {
  const lists = Object.values(recordOf(override)).filter(Array.isArray);
  return Math.max(1, lists.flat().length);
}

/** Returns the number of entries: an ID is one, and so is an override without IDs. */
export const countEntries = (overrides: object): number =>
  sumOf(
    Object.values(overrides)
      .filter(Array.isArray)
      .flat()
      .map((entry) => (typeof entry === 'string' ? 1 : sizeOfOverride(entry))),
  );
