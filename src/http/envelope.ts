import type { Context } from 'hono';
import * as z from 'zod';
import type { Service } from '../env.ts';
import { Problem } from '../problem.ts';
import {
  decodePosition,
  encodePosition,
  type Page,
  type PageRequest,
  type Position,
  shortened,
} from '../store/core/page.ts';
import { etag, type Tagged } from '../store/entities/preconditions.ts';
import { byteLength } from '../store/sql/rows.ts';
import { isKnown } from './conditional.ts';
import { isRead } from './methods.ts';
import { told } from './success.ts';
import { warnings } from './warnings.ts';

const message = z.string().meta({ description: 'What happened, in a sentence.' });

export const pagination = z
  .object({
    itemsPerPage: z.int(),
    pageNumber: z.int(),
    totalItems: z.int(),
    nextPage: z.string().nullable(),
    previousPage: z.string().nullable(),
    all: z.string(),
  })
  .meta({
    id: 'Pagination',
    examples: [
      {
        itemsPerPage: 1,
        pageNumber: 1,
        totalItems: 2,
        nextPage: '/console/v1/gates?page=2&limit=1&after=WzE3NjcyMjU2MDAwMDAsImNoZWNrb3V0Il0',
        previousPage: null,
        all: '/console/v1/gates',
      },
    ],
  });

/** The answer of an operation on one thing. */
export const oneOf = <S extends z.ZodType>(data: S) => z.object({ message, data, warnings });

/** The answer of a list. */
export const listOf = <S extends z.ZodType>(item: S) =>
  z.object({ message, data: z.array(item), pagination });

/** What every list answers beside its records. */
export const pageOnly = z.object({ message, pagination }).meta({ id: 'Page' });

/** The answer of an operation that has nothing to show but its success. */
export const messageOnly = z.object({ message, warnings }).meta({ id: 'Message' });

const wholeNumber = (maximum: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform((digits) => Math.min(Number(digits), Number.MAX_SAFE_INTEGER)) // too large all the same
    .pipe(z.int().min(1).max(maximum));

/** The query of every list: `page` from 1, `limit` 1 to 1000, and the position that links carry. */
export const pageQuery = z.object({
  page: wholeNumber(999_999_999).default(1).meta({ description: 'Page number, from 1.' }),
  limit: wholeNumber(1000).default(100).meta({ description: 'Results per page.' }),
  after: z.string().optional().meta({ description: 'Where the page begins, as links have it.' }),
  before: z.string().optional().meta({ description: 'Where the page ends, as links have it.' }),
});

/** The page that a query asks for; 400 for one that no link has, and for two. */
export function requestedPage(query: z.output<typeof pageQuery>): PageRequest {
  const { page, limit, after, before } = query;
  if (after !== undefined && before !== undefined)
    throw Problem.property('before', 'means another page than after; give one of them');
  if (after !== undefined) return { page, limit, position: decodePosition('after', after) };
  if (before !== undefined) return { page, limit, position: decodePosition('before', before) };
  return { page, limit };
}

/**
 * Answers one entity with its version, and what time made of it, as ETag, and what else there is to say; 304 to a reader
 * who has it already.
 */
export function single(c: Context, text: string, version: Tagged, data: object, more: object = {}) {
  const headers = { ETag: etag(version) };
  if (isRead(c) && isKnown(c, version)) return c.body(null, 304, headers);
  return c.json({ message: text, data, ...more }, 200, headers);
}

/** Answers a new entity, and what else there is to say: 201, or as documented, with its Location. */
export function created(
  c: Context,
  text: string,
  entity: { id: string; version: number },
  data: object,
  more: object = {},
  status: 200 | 201 = 201,
) {
  return c.json({ message: text, data, ...more }, status, {
    ETag: etag({ version: entity.version }),
    Location: `${c.req.path}/${encodeURIComponent(entity.id)}`,
  });
}

const accepted = z
  .object({ accepted: z.int() })
  .meta({ id: 'Accepted', examples: [{ accepted: 1 }] });

/** The answer of an import of rows that are no entities: how many were taken in. */
export const importOf = oneOf(accepted);

/** A link to a page of the list that was asked for: its filters in the order they came, then the page. */
function linkTo(url: URL, page: number, limit: number, position: Position | undefined): string {
  const query = new URLSearchParams(url.search);
  for (const name of Object.keys(pageQuery.shape)) query.delete(name);
  query.append('page', String(page));
  query.append('limit', String(limit));
  if (position) query.append(position.side, encodePosition(position));
  return `${url.pathname}?${query}`;
}

/** The pagination of a list that is counted from its beginning, by the number of the page alone. */
export function numberedPage(c: Context, page: number, limit: number, totalItems: number) {
  const url = new URL(c.req.url);
  const last = Math.ceil(totalItems / limit);
  const link = (to: number) => linkTo(url, to, limit, undefined);
  return {
    itemsPerPage: limit,
    pageNumber: page,
    totalItems,
    nextPage: page < last ? link(page + 1) : null,
    previousPage: page > 1 && last > 0 ? link(Math.min(page - 1, last)) : null,
    all: url.pathname,
  };
}

/** The links of a page to the pages beside it. */
function paginationOf(c: Context, found: Page<unknown>): z.infer<typeof pagination> {
  const { page, limit, totalItems, items, next, previous } = found;
  const url = new URL(c.req.url);
  const lastPage = Math.ceil(totalItems / limit);
  const beyondLast = items.length === 0 && page > 1 && lastPage >= 1;
  const earlier = beyondLast ? Math.min(page - 1, lastPage) : Math.max(page - 1, 1);
  return {
    itemsPerPage: limit,
    pageNumber: page,
    totalItems,
    nextPage: next ? linkTo(url, page + 1, limit, next) : null,
    previousPage: previous || beyondLast ? linkTo(url, earlier, limit, previous) : null,
    all: url.pathname,
  };
}

/** Where a page ends before its limit, in bytes. */
const mostOfPage = 8_000_000;

/** Whether a page is asked for by its number alone: it is whole, as the next by number would pass over what it lacks. */
const isNumbered = (c: Context, { position }: PageRequest) =>
  position === undefined && c.req.query('page') !== undefined;

/**
 * Answers a page of a list: as much of it as is answered at once, from where `nextPage` goes on.
 * @param view how an item is answered; as it is where left out
 */
export function listing<E extends object>(
  c: Context<Service>,
  found: Page<E>,
  view: (item: E) => object = (item) => item,
) {
  const viewed = { ...found, items: found.items.map((item) => view(item)) };
  const textOf = (shown: Page<object>) =>
    JSON.stringify({ message: told(c), data: shown.items, pagination: paginationOf(c, shown) });
  const text = textOf(viewed);
  const isLarge = !isNumbered(c, found) && byteLength(text) > mostOfPage;
  const sizeOf = (item: object) => byteLength(JSON.stringify(item));
  const answered = isLarge ? textOf(shortened(viewed, mostOfPage, sizeOf)) : text;
  return c.body(answered, 200, { 'Content-Type': 'application/json' });
}
