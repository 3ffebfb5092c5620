import { and, count, eq, gte, inArray, lt, not, type SQL, type SQLWrapper } from 'drizzle-orm';
import { newestBy, type Order, type Page, type PageRequest, pageOf } from '../core/page.ts';
import { pageRows } from '../core/page_query.ts';
import type { Reads } from '../core/reads.ts';
import { constant, larger, minus, oneRow, onlyValue, qualified } from '../sql/expressions.ts';
import { once, query } from '../sql/statement.ts';
import { revisions } from '../sql/tables.ts';
import {
  type AuditFilters,
  conditionOf,
  isResolved,
  leaderOf,
  numberedBy,
  type Resolved,
  resolve,
} from './audit_filters.ts';
import { type Revision, shownColumns } from './list.ts';
import { all, endOf, firstSince, type Numbered } from './ordinals.ts';

/** What the days that are asked for come to, as numbers of rows. */
const boundsOf = ({ since, before }: AuditFilters, numbered: Numbered) => ({
  from: since === undefined ? undefined : firstSince(since, numbered),
  to: before === undefined ? undefined : firstSince(before, numbered),
});

/** How many rows pass, counted one by one: where no numbers tell it. */
const countQuery = (where: SQL | undefined) =>
  query
    .select({ total: count().as('total') })
    .from(revisions)
    .where(where);

/** The query for how many rows pass: what is numbered without gaps need not be counted. */
function totalQuery(filters: Resolved, numbered: Numbered | undefined, where: SQL | undefined) {
  if (!numbered) return countQuery(where);
  const { from = constant(1), to = endOf(numbered) } = boundsOf(filters, numbered);
  const total = larger<number>(constant(0), minus(to, from)).as('total');
  return query.select({ total }).from(oneRow);
}

/** Which rows are left out; where one kind is asked for, none has to be. */
const leftOutOf = ({ kind, except = [] }: AuditFilters): SQL | undefined =>
  kind === undefined && except.length > 0 ? inArray(revisions.kind, [...except]) : undefined;

/** The queries for how many rows that are left out would pass: where only days are asked for, the numbers of each kind tell. */
function lessQueries(filters: Resolved, numbered: Numbered | undefined, days: SQL | undefined) {
  const leftOut = leftOutOf(filters);
  if (!leftOut) return [];
  if (numbered !== all) return [countQuery(and(conditionOf(filters, leftOut), days))];
  const kinds = filters.except ?? [];
  return kinds.map((kind) => totalQuery(filters, numberedBy({ kind }), undefined));
}

/** A row as it is read, with where it stands in the log. */
type Row = Revision & { number: number };

const placeOf = ({ number }: Row) => ({ key: number, id: number });

/**
 * The newest first, by the numbers of what leads to the rows, which rise as all do: in their order no row is read past the
 * page. What leads may be another by the next page, so that positions are made of `place`.
 */
function orderBy({ number }: Numbered, place: Numbered['number']): Order {
  const ofPlace = (at: SQLWrapper) =>
    onlyValue(query.select({ number }).from(revisions).where(eq(place, at)));
  return number === place ? newestBy(number) : { ...newestBy(number), keyOf: ofPlace };
}

/**
 * Reads a page of the audit log, newest first, in one round trip, and one before it for the name of an actor, for a
 * request, and for which of several filters is the narrowest.
 */
export async function listRevisions(
  tx: Reads,
  request: PageRequest,
  asked: AuditFilters,
): Promise<Page<Revision>> {
  if (asked.except?.some((kind) => kind === asked.kind))
    return pageOf<Row>(request, [], 0, placeOf);
  // To wait for nothing would be a turn of the event loop, and a round trip of its own.
  const filters = isResolved(asked) ? asked : await resolve(tx, asked);
  const numbered = numberedBy(filters);
  const leader = numbered ?? leaderOf(filters) ?? all;
  const { number } = numbered ?? all;
  const { from, to } = boundsOf(filters, leader);
  const days = and(from && gte(leader.number, from), to && lt(leader.number, to));
  const where = and(conditionOf(filters), days);
  const leftOut = leftOutOf(filters);
  const rows = pageRows(orderBy(leader, number), request, (beyond) =>
    query
      .select({ ...shownColumns, number: qualified(number).as('number') })
      .from(revisions)
      .where(and(where, leftOut && not(leftOut), beyond)),
  );
  const total = totalQuery(filters, numbered, where);
  const [[found], ...totals] = await Promise.all([
    tx.read(rows),
    tx.read(once(total)),
    ...lessQueries(filters, numbered, days).map((less) => tx.read(once(less))),
  ]);
  const totalItems = totals
    .map(([[counted]]) => counted?.total ?? 0)
    .reduce((passing, less) => passing - less);
  const { items, ...links } = pageOf(request, found, totalItems, placeOf);
  return { ...links, items: items.map(({ number: _number, ...revision }) => revision) };
}
