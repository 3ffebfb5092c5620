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
import { Problem } from '../../../base/problem.ts';

/** The start of a page in a list: after or before a record, given by its sort key and ID. */
export interface Position {
  side: 'after' | 'before';
  key: string | number;
  id: string | number;
}

type PagePosition = Omit<Position, 'side'>;

export interface PageRequest {
  /** Starts at 1. */
  page: number;
  limit: number;
  /** If missing, the page is counted from the first record. */
  position?: Position | undefined;
}

/** Returns the number of rows to read, one more than the page holds, and the number of rows to skip. */
export const limitAndOffset = ({ page, limit, position }: PageRequest) => ({
  limit: limit + 1,
  offset: position ? 0 : (page - 1) * limit,
});

export interface Page<Item> extends PageRequest {
  items: Item[];
  totalItems: number;
  next?: Position | undefined;
  /** Missing on the first page. The page before is read backwards. */
  previous?: Position | undefined;
  places: PagePosition[];
}

/** The order of a list: by a key, then by ID, each ascending or descending like the index. */
export interface Order {
  key: SQLWrapper;
  keyFalls: boolean;
  /** Computes the sort key of a position, if positions hold another value than the key. */
  keyOf?(position: SQLWrapper): SQLWrapper;
  /** Missing if keys are unique. */
  id?: SQLWrapper;
  idFalls?: boolean;
  positions: { key: 'string' | 'number'; id: 'string' | 'number' };
}

/** Newest first, by a unique number. */
export const newestBy = (number: Column): Order => ({
  key: number,
  keyFalls: true,
  positions: { key: 'number', id: 'number' },
});

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const encodePosition = ({ key, id }: Position): string =>
  encoder.encode(JSON.stringify([key, id])).toBase64({ alphabet: 'base64url' });

const noPosition = (side: Position['side']) =>
  Problem.property(side, 'must come from a link of an earlier page of the same list');

const isPlace = (value: unknown) => typeof value === 'string' || Number.isSafeInteger(value);

/** Parses a position from a link. @throws Problem 400 if the text is not a position */
export function decodePosition(side: Position['side'], text: string): Position {
  try {
    const bytes = Uint8Array.fromBase64(text, { alphabet: 'base64url' });
    const place: unknown = JSON.parse(decoder.decode(bytes));
    if (Array.isArray(place) && place.length === 2 && place.every(isPlace))
      return { side, key: place[0], id: place[1] };
  } catch {}
  throw noPosition(side);
}

/** Checks that a position belongs to the order of a list. @throws Problem 400 if it was made for another order */
export function requireFittingPosition(
  position: Position | undefined,
  { key, id }: Order['positions'],
): void {
  if (position && (typeof position.key !== key || typeof position.id !== id))
    throw noPosition(position.side);
}

/** Returns how to read a page: in reverse if it ends at a position. @throws Problem 400 for another order */
export function reading(order: Order, { position }: PageRequest) {
  const { key, keyFalls, id, idFalls = keyFalls, positions } = order;
  requireFittingPosition(position, positions);
  const isBackward = position?.side === 'before';
  const [keyDown, idDown] = [keyFalls !== isBackward, idFalls !== isBackward];
  const along = (column: SQLWrapper, falls: boolean) => (falls ? desc(column) : asc(column));
  return {
    orderBy: [along(key, keyDown), ...(id ? [along(id, idDown)] : [])],
    ...(position ? beyond(order, keyDown, idDown) : { beyond: undefined, apart: [undefined] }),
    values: { atKey: position?.key, atID: position?.id },
  };
}

/** The split form, with rows of an equal key apart, lets SQLite enter an index at the exact row. */
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

/** Builds a page from its rows, which are one more than its limit if another page follows in the reading direction. */
export function pageOf<Item>(
  request: PageRequest,
  rows: Item[],
  totalItems: number,
  positionOf: (item: Item) => PagePosition,
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

/** Cuts a page to the items whose `sizeOf` adds up to `maxSize` at most, but at least one; its links continue there. */
export function shortenedPage<Item>(
  found: Page<Item>,
  maxSize: number,
  sizeOf: (item: Item) => number,
): Page<Item> {
  const { items, places, position } = found;
  const isBackward = position?.side === 'before';
  let size = 0;
  const exceeds = (item: Item) => {
    size += sizeOf(item);
    return size > maxSize;
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
