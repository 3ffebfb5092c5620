/** What an overrides operation does with the entries it is given: POST, PATCH or DELETE. */
export type Edit = 'replace' | 'add' | 'remove';

/** Edits a set of ids: each stands once. */
export function editIDs(edit: Edit, current: string[], given: string[]): string[] {
  if (edit === 'replace') return [...new Set(given)];
  if (edit === 'add') return [...new Set([...current, ...given])];
  const removed = new Set(given);
  return current.filter((id) => !removed.has(id));
}

/** The lists of ids that an entry holds. */
interface IDLists<T> {
  get(entry: T): string[][];
  set(entry: T, lists: string[][]): T;
}

/**
 * Edits a list of entries, of which one with the same values of `key` is the same entry.
 * @param lists the lists of ids in an entry: two entries of one key are joined, or subtracted, there; an entry
 *   without any is added or removed as a whole
 */
export function editEntries<T extends object>(
  edit: Edit,
  current: T[],
  given: T[],
  key: (keyof T)[],
  lists: IDLists<T> = { get: () => [], set: (entry) => entry },
): T[] {
  const nameOf = (entry: T) => JSON.stringify(key.map((property) => entry[property] ?? null));
  const result = new Map(
    (edit === 'replace' ? [] : current).map((entry) => [nameOf(entry), entry]),
  );
  for (const entry of given) {
    const old = result.get(nameOf(entry));
    if (!old && edit === 'remove') continue;
    const before = old ? lists.get(old) : [];
    const after = lists
      .get(entry)
      .map((ids, index) => editIDs(edit === 'replace' ? 'add' : edit, before[index] ?? [], ids));
    if (edit === 'remove' && after.flat().length === 0) result.delete(nameOf(entry));
    else result.set(nameOf(entry), lists.set(edit === 'remove' && old ? old : entry, after));
  }
  return [...result.values()];
}

/** Entries without those that a given one fits. */
export const withoutEntries = <T, P>(
  current: T[],
  given: P[],
  fits: (entry: T, given: P) => boolean,
): T[] => current.filter((entry) => !given.some((pattern) => fits(entry, pattern)));

/** Entries without the ids of the given ones that fit; an entry of which no id is left goes. */
export const withoutIDs = <T extends { ids: string[] }, P extends { ids: string[] }>(
  current: T[],
  given: P[],
  fits: (entry: T, given: P) => boolean,
): T[] =>
  current.flatMap((entry) => {
    const fitting = given.filter((pattern) => fits(entry, pattern));
    if (fitting.length === 0) return entry;
    const removed = new Set(fitting.flatMap(({ ids }) => ids));
    const ids = entry.ids.filter((id) => !removed.has(id));
    return ids.length > 0 ? { ...entry, ids } : [];
  });
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
