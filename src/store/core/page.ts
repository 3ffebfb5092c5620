import {
  and,
  asc,
  type Column,
  desc,
  eq,
  gt,
  gte,
  lt,
  lte,
  or,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { Problem } from '../../problem.ts';

/** Where in a list a page begins: behind a record, or before it; its sort key and id. */
export interface Position {
  side: 'after' | 'before';
  key: string | number;
  id: string | number;
}

/** Where a record stands in a list: its sort key and id. */
type Place = Omit<Position, 'side'>;

/** What part of a list is asked for. */
export interface PageRequest {
  /** From 1. */
  page: number;
  limit: number;
  /** Where the page begins; counted from the first record where absent. */
  position?: Position | undefined;
}

/** How many rows are read for a page, one more than it holds, and how many before them are passed over. */
export const extentOf = ({ page, limit, position }: PageRequest) => ({
  limit: limit + 1,
  offset: position ? 0 : (page - 1) * limit,
});

/** A page of a list, and how many items there are on all pages. */
export interface Page<Item> extends PageRequest {
  items: Item[];
  totalItems: number;
  /** Where the next page begins; absent on the last. */
  next?: Position | undefined;
  /** Where the page before begins, read backwards; absent on the first. */
  previous?: Position | undefined;
  /** Where each item stands in the list. */
  places: Place[];
}

/** The order of a list: by a key, then by id, each rising or falling as the index has them. */
export interface Order {
  key: SQLWrapper;
  keyFalls: boolean;
  /** The key of the record that has the one of a position, where positions are made of another; the same where absent. */
  keyOf?(position: SQLWrapper): SQLWrapper;
  /** What tells those apart that share a key; absent where none do. */
  id?: SQLWrapper;
  idFalls?: boolean;
  /** What a position in this order is made of. */
  positions: { key: 'string' | 'number'; id: 'string' | 'number' };
}

/** The newest first, by a number that no two rows share. */
export const newestBy = (number: Column): Order => ({
  key: number,
  keyFalls: true,
  positions: { key: 'number', id: 'number' },
});

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A position as it stands in a link. */
export const encodePosition = ({ key, id }: Position): string =>
  encoder.encode(JSON.stringify([key, id])).toBase64({ alphabet: 'base64url' });

const noPosition = (side: Position['side']) =>
  Problem.property(side, 'must come from a link of an earlier page of the same list');

const isPlace = (value: unknown) => typeof value === 'string' || Number.isSafeInteger(value);

/** A position out of a link; 400 where the text is none. */
export function decodePosition(side: Position['side'], text: string): Position {
  try {
    const bytes = Uint8Array.fromBase64(text, { alphabet: 'base64url' });
    const place: unknown = JSON.parse(decoder.decode(bytes));
    if (Array.isArray(place) && place.length === 2 && place.every(isPlace))
      return { side, key: place[0], id: place[1] };
  } catch {}
  throw noPosition(side);
}

/** 400 for a position in another order than that of a list. */
export function requireFit(position: Position | undefined, { key, id }: Order['positions']): void {
  if (position && (typeof position.key !== key || typeof position.id !== id))
    throw noPosition(position.side);
}

/**
 * How the rows of a page are read: a page that ends where another begins is read against the order of its list.
 * @throws Problem 400 for a position in another order
 */
export function reading(order: Order, { position }: PageRequest) {
  const { key, keyFalls, id, idFalls = keyFalls, positions } = order;
  requireFit(position, positions);
  const isBackward = position?.side === 'before';
  const [keyDown, idDown] = [keyFalls !== isBackward, idFalls !== isBackward];
  const along = (column: SQLWrapper, falls: boolean) => (falls ? desc(column) : asc(column));
  return {
    orderBy: [along(key, keyDown), ...(id ? [along(id, idDown)] : [])],
    ...(position ? beyond(order, keyDown, idDown) : { beyond: undefined, apart: [undefined] }),
    values: { atKey: position?.key, atID: position?.id },
  };
}

/**
 * The condition on the rows beyond a position: as one, and apart as two, for the rows that share its key and for those
 * after them. An index is entered at the very row by each of the two; by the one, all that share the key are read.
 */
function beyond({ key, keyOf, id }: Order, keyDown: boolean, idDown: boolean) {
  const [given, of] = [sql.placeholder('atKey'), sql.placeholder('atID')];
  const at = keyOf?.(given) ?? given;
  const following = keyDown ? lt(key, at) : gt(key, at);
  if (!id) return { beyond: following, apart: [following] };
  const later = idDown ? lt(id, of) : gt(id, of);
  const onward = keyDown ? lte(key, at) : gte(key, at);
  return {
    beyond: and(onward, or(following, later)),
    apart: [and(eq(key, at), later), following],
  };
}

/**
 * The page out of the rows that were read for it: one more than its limit, where there are as many. Towards where it
 * was read there is another page where there is that one more; the other way there is the page that one came from.
 * @param positionOf the sort key and id of an item
 */
export function pageOf<Item>(
  request: PageRequest,
  rows: Item[],
  totalItems: number,
  positionOf: (item: Item) => Place,
): Page<Item> {
  const { page, limit, position } = request;
  const isBackward = position?.side === 'before';
  const kept = rows.slice(0, limit);
  const items = isBackward ? kept.reverse() : kept;
  const places = items.map(positionOf);
  const [first, last] = [places[0], places.at(-1)];
  const goesOn = rows.length > limit;
  return {
    page,
    limit,
    position,
    items,
    places,
    totalItems,
    next: last && (isBackward || goesOn) ? { side: 'after', ...last } : undefined,
    previous: first && (isBackward ? goesOn : page > 1) ? { side: 'before', ...first } : undefined,
  };
}

/**
 * As many of the items of a page as come to a size together, and at least one, from where it was read; from there the
 * next page, or the one before, goes on.
 * @param sizeOf how large an item is, in the unit of `most`
 */
export function shortened<Item>(
  found: Page<Item>,
  most: number,
  sizeOf: (item: Item) => number,
): Page<Item> {
  const { items, places, position } = found;
  const isBackward = position?.side === 'before';
  let size = 0;
  const exceeds = (item: Item) => {
    size += sizeOf(item);
    return size > most;
  };
  const within = (isBackward ? items.toReversed() : items).findIndex(exceeds);
  if (within < 0) return found;
  const count = Math.max(within, 1);
  const from = isBackward ? items.length - count : 0;
  const kept = places.slice(from, from + count);
  const [first, last] = [kept[0], kept.at(-1)];
  return {
    ...found,
    items: items.slice(from, from + count),
    places: kept,
    ...(isBackward
      ? { previous: first && { side: 'before', ...first } }
      : { next: last && { side: 'after', ...last } }),
  };
}
