import { type SQL, sql } from 'drizzle-orm';
import { Problem } from '../problem.ts';

/** Where in a list a page begins: behind a record, or before it; its sort key and id. */
export interface Position {
  side: 'after' | 'before';
  key: string | number;
  id: string | number;
}

/** What part of a list is asked for. */
export interface PageRequest {
  /** From 1. */
  page: number;
  limit: number;
  /** Where the page begins; counted from the first record where absent. */
  position?: Position | undefined;
}

/** A page of a list, and how many items there are on all pages. */
export interface Page<Item> extends PageRequest {
  items: Item[];
  totalItems: number;
  /** Where the next page begins; absent on the last. */
  next?: Position | undefined;
  /** Where the page before begins, read backwards; absent on the first. */
  previous?: Position | undefined;
}

/** The order of a list: by a key, then by id, each rising or falling as the index has them. */
export interface Order {
  key: SQL;
  keyFalls: boolean;
  id: SQL;
  idFalls: boolean;
}

/** A position as it stands in a link. */
export const encodePosition = ({ key, id }: Position): string =>
  new TextEncoder().encode(JSON.stringify([key, id])).toBase64({ alphabet: 'base64url' });

const isPlace = (value: unknown) => typeof value === 'string' || typeof value === 'number';

/** A position out of a link; 400 where it is none. */
export function decodePosition(side: Position['side'], text: string): Position {
  try {
    const bytes = Uint8Array.fromBase64(text, { alphabet: 'base64url' });
    const [key, id] = JSON.parse(new TextDecoder().decode(bytes));
    if (isPlace(key) && isPlace(id)) return { side, key, id };
  } catch {}
  throw Problem.property(side, 'must come from a link of an earlier page');
}

/** How the rows of a page are read: a page that ends where another begins is read against the order of its list. */
export function reading({ key, keyFalls, id, idFalls }: Order, { position }: PageRequest) {
  const isBackward = position?.side === 'before';
  const [keyDown, idDown] = [keyFalls !== isBackward, idFalls !== isBackward];
  const [at, of] = [sql.placeholder('atKey'), sql.placeholder('atID')];
  const beyond = sql.raw(keyDown ? '<' : '>');
  return {
    orderBy: [keyDown ? sql`${key} desc` : key, idDown ? sql`${id} desc` : id],
    where: position
      ? sql`${key} ${beyond}= ${at} and (${key} ${beyond} ${at} or ${id} ${sql.raw(idDown ? '<' : '>')} ${of})`
      : undefined,
    values: { atKey: position?.key, atID: position?.id },
  };
}

/**
 * The page out of the rows that were read for it: one more than its limit, where there are as many.
 * @param positionOf the sort key and id of an item
 */
export function pageOf<Item>(
  request: PageRequest,
  rows: Item[],
  totalItems: number,
  positionOf: (item: Item) => Omit<Position, 'side'>,
): Page<Item> {
  const { page, limit, position } = request;
  const isBackward = position?.side === 'before';
  const kept = rows.slice(0, limit);
  const items = isBackward ? kept.reverse() : kept;
  const [first, last] = [items[0], items.at(-1)];
  const goesOn = isBackward || rows.length > limit;
  return {
    page,
    limit,
    items,
    totalItems,
    next: last && goesOn ? { side: 'after', ...positionOf(last) } : undefined,
    previous: first && page > 1 ? { side: 'before', ...positionOf(first) } : undefined,
  };
}
