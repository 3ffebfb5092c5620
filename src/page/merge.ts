import { isEqual } from '../shared/equal.ts';
import { isObject } from '../shared/value_types.ts';
import { isFree, isTexts } from './compare_values.ts';

/** A place that both sides changed, each in its own way. */
export interface Clash {
  /** From the property inwards: `['rules', '<id>']`. */
  path: string[];
  mine: unknown;
  theirs: unknown;
}

interface Merged {
  value: unknown;
  clashes: Clash[];
}

export type Side = 'mine' | 'theirs';
/** Decides a clash; by default for mine. */
export type Choose = (path: string[]) => Side;

/** How a merge goes, and the clashes that it met. */
interface Way {
  choose: Choose;
  /** Whether an item of a list that is known by its id is taken apart, too; else it is one thing. */
  isDeep: boolean;
  clashes: Clash[];
}

/** What an item of a list is known by: its id, or else its name. */
function keyOf(item: unknown): string | undefined {
  if (!isObject(item)) return undefined;
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
  const hasMoved = !isEqual(mine.filter(among(base)), base.filter(among(mine)));
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

/** A list whose items are known by id, each of which is kept, taken, chosen, or merged itself. */
function mergeKeyed(
  lists: { base: unknown[]; mine: unknown[]; theirs: unknown[] },
  way: Way,
  path: string[],
): unknown[] {
  const [base, mine, theirs] = [byKey(lists.base), byKey(lists.mine), byKey(lists.theirs)];
  const mergeItem = way.isDeep ? mergeParts : mergeWhole;
  return orderOf([...base.keys()], [...mine.keys()], [...theirs.keys()]).flatMap(
    (key) => mergeItem(base.get(key), mine.get(key), theirs.get(key), way, [...path, key]) ?? [],
  );
}

/** One thing that cannot be taken apart. */
function mergeWhole(
  base: unknown,
  mine: unknown,
  theirs: unknown,
  { choose, clashes }: Way,
  path: string[],
): unknown {
  if (isEqual(mine, theirs) || isEqual(theirs, base)) return mine;
  if (isEqual(mine, base)) return theirs;
  clashes.push({ path, mine, theirs });
  return choose(path) === 'mine' ? mine : theirs;
}

function mergeParts(
  base: unknown,
  mine: unknown,
  theirs: unknown,
  way: Way,
  path: string[],
): unknown {
  if (isEqual(mine, base) || isEqual(theirs, base) || isEqual(mine, theirs))
    return mergeWhole(base, mine, theirs, way, path);
  const isWhole = path.some(isFree); // the order of a list may mean something there, and what is in it twice
  if (!isWhole && isTexts(base) && isTexts(mine) && isTexts(theirs))
    return mergeTexts(base, mine, theirs);
  if (!isWhole && isKeyed(base) && isKeyed(mine) && isKeyed(theirs))
    return mergeKeyed({ base, mine, theirs }, way, path);
  if (!isObject(base) || !isObject(mine) || !isObject(theirs))
    return mergeWhole(base, mine, theirs, way, path);
  const names = Object.keys({ ...theirs, ...mine });
  const merged = names.map((name) => [
    name,
    mergeParts(base[name], mine[name], theirs[name], way, [...path, name]),
  ]);
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
}

/**
 * Merges two states that both came from a third: what either changed is kept, where the two do not touch.
 * @param choose who goes first where they do
 * @param isDeep whether an item of a list that is known by its id is taken apart; else it is kept, taken or chosen as a whole
 */
export function merge(
  base: unknown,
  mine: unknown,
  theirs: unknown,
  choose: Choose = () => 'mine',
  isDeep = false,
): Merged {
  const clashes: Clash[] = [];
  return { value: mergeParts(base, mine, theirs, { choose, isDeep, clashes }, []), clashes };
}
