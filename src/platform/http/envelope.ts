import type { Context } from 'hono';
import * as z from 'zod';
import { Problem } from '../../base/problem.ts';
import type { Service } from '../env.ts';
import {
  decodePosition,
  encodePosition,
  type Page,
  type PageRequest,
  type Position,
  shortenedPage,
} from '../store/core/page.ts';
import { etag, type Tagged } from '../store/entities/preconditions.ts';
import { byteLength } from '../store/sql/rows.ts';
import { isKnown } from './conditional.ts';
import { isRead } from './methods.ts';
import { readMessage } from './success.ts';
import { warnings } from './warnings.ts';

const message = z.string();

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

/** Envelopes are built when documented: a Worker, which never reads them, starts sooner without. */
export const dataEnvelope =
  <S extends z.ZodType>(data: S) =>
  () =>
    z.object({ message, data, warnings });

export const listEnvelope =
  <S extends z.ZodType>(item: S) =>
  () =>
    z.object({ message, data: z.array(item), pagination });

/** The members that all list responses share. */
export const pageOnly = () => z.object({ message, pagination }).meta({ id: 'Page' });

export const messageOnly = () => z.object({ message, warnings }).meta({ id: 'Message' });

const wholeNumber = (maximum: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform((digits) => Math.min(Number(digits), Number.MAX_SAFE_INTEGER))
    .pipe(z.int().min(1).max(maximum));

/** The query of every list: `page` from 1, `limit` 1 to 1000, and a position from a page link. */
export const pageQuery = z.object({
  page: wholeNumber(999_999_999).default(1),
  limit: wholeNumber(1000).default(100),
  after: z.string().optional(),
  before: z.string().optional(),
});

/** Returns the requested page. @throws Problem 400 for an invalid position, or for both `after` and `before` */
export function requestedPage(query: z.output<typeof pageQuery>): PageRequest {
  const { page, limit, after, before } = query;
  if (after !== undefined && before !== undefined)
    throw Problem.property('before', 'must be absent if after is given');
  if (after !== undefined) return { page, limit, position: decodePosition('after', after) };
  if (before !== undefined) return { page, limit, position: decodePosition('before', before) };
  return { page, limit };
}

/** Responds with one entity and its ETag, or 304 if If-None-Match matches. */
export function single(c: Context, text: string, version: Tagged, data: object, more: object = {}) {
  const headers = { ETag: etag(version) };
  if (isRead(c) && isKnown(c, version)) return c.body(null, 304, headers);
  return c.json({ message: text, data, ...more }, 200, headers);
}

/** Responds with a new entity, its ETag and its Location. */
export function respondCreated(
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

export const accepted = z
  .object({ accepted: z.int() })
  .meta({ id: 'Accepted', examples: [{ accepted: 1 }] });

export const importOf = dataEnvelope(accepted);

function linkTo(url: URL, page: number, limit: number, position: Position | undefined): string {
  const query = new URLSearchParams(url.search);
  for (const name of Object.keys(pageQuery.shape)) query.delete(name);
  query.append('page', String(page));
  query.append('limit', String(limit));
  if (position) query.append(position.side, encodePosition(position));
  return `${url.pathname}?${query}`;
}

/** Returns the pagination of a list that is paged only by number. */
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

const maxPageBytes = 8_000_000;

/** Whether a page is requested only by number. It stays whole: page n + 1 would skip the items that were cut off. */
const isPageByNumber = (c: Context, { position }: PageRequest) =>
  position === undefined && c.req.query('page') !== undefined;

/** Responds with a page of a list, items by `view`, which may return their JSON; a page over 8 MB ends early, at a `nextPage` link. */
export function listing<E extends object>(
  c: Context<Service>,
  found: Page<E>,
  view: (item: E) => object | string = (item) => item,
) {
  const viewed = { ...found, items: found.items.map((item) => view(item)) };
  const textOf = (content: Page<object | string>) => {
    const [message, pagination] = [readMessage(c), paginationOf(c, content)];
    if (typeof content.items[0] !== 'string')
      return JSON.stringify({ message, data: content.items, pagination });
    const data = content.items.join(',');
    return `{"message":${JSON.stringify(message)},"data":[${data}],"pagination":${JSON.stringify(pagination)}}`;
  };
  const text = textOf(viewed);
  const isLarge = !isPageByNumber(c, found) && byteLength(text) > maxPageBytes;
  const sizeOf = (item: object | string) =>
    byteLength(typeof item === 'string' ? item : JSON.stringify(item));
  const body = isLarge ? textOf(shortenedPage(viewed, maxPageBytes, sizeOf)) : text;
  return c.body(body, 200, { 'Content-Type': 'application/json' });
}
