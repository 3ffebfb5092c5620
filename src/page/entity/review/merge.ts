import { isEqual } from '../../../base/equal.ts';
import { isObject } from '../../../base/value_types.ts';
import { isFree, isTexts } from '../../base/compare_values.ts';

export interface Clash {
  path: string[];
  mine: unknown;
  theirs: unknown;
}

interface Merged {
  value: unknown;
  clashes: Clash[];
}

export type Side = 'mine' | 'theirs';
export type Choose = (path: string[]) => Side;

interface MergeState {
  choose: Choose;
  isDeep: boolean;
  clashes: Clash[];
}

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

function mergeTexts(base: string[], mine: string[], theirs: string[]): string[] {
  const [isOld, isMine, isTheirs] = [among(base), among(mine), among(theirs)];
  const isGone = (text: string) => isOld(text) && !(isMine(text) && isTheirs(text));
  return [...new Set([...theirs, ...mine])].filter((text) => !isGone(text));
}

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

function mergeKeyed(
  lists: { base: unknown[]; mine: unknown[]; theirs: unknown[] },
  state: MergeState,
  path: string[],
): unknown[] {
  const [base, mine, theirs] = [byKey(lists.base), byKey(lists.mine), byKey(lists.theirs)];
  const mergeItem = state.isDeep ? mergeParts : mergeWhole;
  return orderOf([...base.keys()], [...mine.keys()], [...theirs.keys()]).flatMap(
    (key) => mergeItem(base.get(key), mine.get(key), theirs.get(key), state, [...path, key]) ?? [],
  );
}

function mergeWhole(
  base: unknown,
  mine: unknown,
  theirs: unknown,
  { choose, clashes }: MergeState,
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
  state: MergeState,
  path: string[],
): unknown {
  if (isEqual(mine, base) || isEqual(theirs, base) || isEqual(mine, theirs))
    return mergeWhole(base, mine, theirs, state, path);
  const isWhole = path.some(isFree); // lists in arbitrary JSON may be ordered and contain duplicates
  if (!isWhole && isTexts(base) && isTexts(mine) && isTexts(theirs))
    return mergeTexts(base, mine, theirs);
  if (!isWhole && isKeyed(base) && isKeyed(mine) && isKeyed(theirs))
    return mergeKeyed({ base, mine, theirs }, state, path);
  if (!isObject(base) || !isObject(mine) || !isObject(theirs))
    return mergeWhole(base, mine, theirs, state, path);
  const names = Object.keys({ ...theirs, ...mine });
  const merged = names.map((name) => [
    name,
    mergeParts(base[name], mine[name], theirs[name], state, [...path, name]),
  ]);
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
}

/** Merges two versions of a common base. `choose` decides conflicts, by default for "mine". */
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
