import { dequal } from 'dequal/lite';
import { isFree, isRecord, isTexts } from './compare_values.ts';

/** A place that both sides changed, each in its own way. */
export interface Clash {
  /** From the property inwards: `['rules', '<id>']`. */
  path: string[];
  mine: unknown;
  theirs: unknown;
}

export interface Merged {
  value: unknown;
  clashes: Clash[];
}

export type Side = 'mine' | 'theirs';
/** Decides a clash; by default for mine. */
export type Choose = (path: string[]) => Side;

/** How an item of a list that is known by its id is merged: as one thing, kept, taken or chosen as a whole, or by its properties. */
type MergeItem = (
  base: unknown,
  mine: unknown,
  theirs: unknown,
  choose: Choose,
  path: string[],
  mergeItem: MergeItem,
) => Merged;

/** What an item of a list is known by: its id, or else its name. */
function keyOf(item: unknown): string | undefined {
  if (!isRecord(item)) return undefined;
  const key = item.id ?? item.name;
  return typeof key === 'string' ? key : undefined;
}

const isKeyed = (value: unknown): value is unknown[] => {
  if (!Array.isArray(value)) return false;
  const keys = value.map(keyOf);
  return !keys.includes(undefined) && new Set(keys).size === keys.length;
};

const among = (keys: string[]) => {
  const all = new Set(keys);
  return (key: string) => all.has(key);
};

/** A set of texts with what both sides added, without what either took away. */
function mergeTexts(base: string[], mine: string[], theirs: string[]): string[] {
  const [isOld, isMine, isTheirs] = [among(base), among(mine), among(theirs)];
  const isGone = (text: string) => isOld(text) && !(isMine(text) && isTheirs(text));
  return [...new Set([...theirs, ...mine])].filter((text) => !isGone(text));
}

/** The keys in the order of the side that moved them, with the other side's new ones behind their neighbour. */
function orderOf(base: string[], mine: string[], theirs: string[]): string[] {
  const hasMoved = !dequal(mine.filter(among(base)), base.filter(among(mine)));
  const [first, second] = hasMoved ? [mine, theirs] : [theirs, mine];
  const isKnown = among(first);
  const before: string[] = [];
  const behind = new Map<string, string[]>();
  let fresh = before;
  for (const key of second)
    if (isKnown(key)) {
      fresh = [];
      behind.set(key, fresh);
    } else fresh.push(key);
  return [...before, ...first.flatMap((key) => [key, ...(behind.get(key) ?? [])])];
}

const byKey = (list: unknown[]) => new Map(list.map((item) => [keyOf(item) ?? '', item]));

/** A list whose items are known by id, each of which is merged by itself. */
function mergeKeyed(
  lists: { base: unknown[]; mine: unknown[]; theirs: unknown[] },
  choose: Choose,
  path: string[],
  mergeItem: MergeItem,
): Merged {
  const [base, mine, theirs] = [byKey(lists.base), byKey(lists.mine), byKey(lists.theirs)];
  const clashes: Clash[] = [];
  const items = orderOf([...base.keys()], [...mine.keys()], [...theirs.keys()]).flatMap((key) => {
    const merged = mergeItem(
      base.get(key),
      mine.get(key),
      theirs.get(key),
      choose,
      [...path, key],
      mergeItem,
    );
    clashes.push(...merged.clashes);
    return merged.value === undefined ? [] : [merged.value];
  });
  return { value: items, clashes };
}

/** One thing that cannot be taken apart. */
function mergeWhole(
  base: unknown,
  mine: unknown,
  theirs: unknown,
  choose: Choose,
  path: string[],
): Merged {
  if (dequal(mine, theirs) || dequal(theirs, base)) return { value: mine, clashes: [] };
  if (dequal(mine, base)) return { value: theirs, clashes: [] };
  return { value: choose(path) === 'mine' ? mine : theirs, clashes: [{ path, mine, theirs }] };
}

/**
 * Merges two states that both came from a third: what either changed is kept, where the two do not touch.
 * @param choose who goes first where they do
 */
export function merge(
  base: unknown,
  mine: unknown,
  theirs: unknown,
  choose: Choose = () => 'mine',
  path: string[] = [],
  mergeItem: MergeItem = mergeWhole,
): Merged {
  if (dequal(mine, base) || dequal(theirs, base) || dequal(mine, theirs))
    return mergeWhole(base, mine, theirs, choose, path);
  const isWhole = path.some(isFree); // the order of a list may mean something there, and what is in it twice
  if (!isWhole && isTexts(base) && isTexts(mine) && isTexts(theirs))
    return { value: mergeTexts(base, mine, theirs), clashes: [] };
  if (!isWhole && isKeyed(base) && isKeyed(mine) && isKeyed(theirs))
    return mergeKeyed({ base, mine, theirs }, choose, path, mergeItem);
  if (isRecord(base) && isRecord(mine) && isRecord(theirs))
    return mergeRecords(base, mine, theirs, choose, path, mergeItem);
  return mergeWhole(base, mine, theirs, choose, path);
}

function mergeRecords(
  base: Record<string, unknown>,
  mine: Record<string, unknown>,
  theirs: Record<string, unknown>,
  choose: Choose,
  path: string[],
  mergeItem: MergeItem,
): Merged {
  const names = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
  const clashes: Clash[] = [];
  const entries = [...names].flatMap((name) => {
    const merged = merge(base[name], mine[name], theirs[name], choose, [...path, name], mergeItem);
    clashes.push(...merged.clashes);
    return merged.value === undefined ? [] : [[name, merged.value]];
  });
  return { value: Object.fromEntries(entries), clashes };
}
