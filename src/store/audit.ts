import { and, count, gte, inArray, lt, not, type SQL } from 'drizzle-orm';
import {
  type AuditFilters,
  conditionOf,
  isResolved,
  numberedBy,
  type Resolved,
  resolve,
} from './audit_filters.ts';
import { type Revision, shownColumns } from './history.ts';
import { all, endOf, firstSince, type Numbered } from './numbered.ts';
import { pageRows } from './page_rows.ts';
import { newestBy, type Page, type PageRequest, pageOf } from './pages.ts';
import { constant, larger, minus, oneRow, qualified } from './sqlite.ts';
import { once, query } from './statement.ts';
import { revisions } from './tables.ts';
import type { Reads } from './terms.ts';

/** What the days that are asked for come to, as numbers of rows. */
const boundsOf = ({ since, before }: AuditFilters, numbered: Numbered) => ({
  from: since === undefined ? undefined : firstSince(since, numbered),
  to: before === undefined ? undefined : firstSince(before, numbered),
});

/** How many rows pass, counted one by one: where no numbers tell it, and of the kinds that are left out, which have few. */
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

/**
 * Reads a page of the audit log, newest first, in one round trip, and one before it for the name of an actor, for a
 * request, and for which of several filters is the narrowest.
 */
export async function listRevisions(
  tx: Reads,
  request: PageRequest,
  asked: AuditFilters,
): Promise<Page<Revision>> {
  // To wait for nothing would be a turn of the event loop, and a round trip of its own.
  const filters = isResolved(asked) ? asked : await resolve(tx, asked);
  const numbered = numberedBy(filters);
  const { number } = numbered ?? all;
  const { from, to } = boundsOf(filters, numbered ?? all);
  const days = and(from && gte(number, from), to && lt(number, to));
  const where = and(conditionOf(filters), days);
  const leftOut = filters.except?.length ? inArray(revisions.kind, [...filters.except]) : undefined;
  const rows = pageRows(newestBy(number), request, (beyond) =>
    query
      .select({ ...shownColumns, number: qualified(number).as('number') })
      .from(revisions)
      .where(and(where, leftOut && not(leftOut), beyond)),
  );
  const total = totalQuery(filters, numbered, where);
  const [[found, [counted]], [[less]]] = await Promise.all([
    tx.read(rows, once(total)),
    leftOut ? tx.read(once(countQuery(and(conditionOf(filters, leftOut), days)))) : [[]],
  ]);
  const positionOf = (row: { number: number }) => ({ key: row.number, id: row.number });
  const totalItems = (counted?.total ?? 0) - (less?.total ?? 0);
  const { items, ...links } = pageOf(request, found, totalItems, positionOf);
  return { ...links, items: items.map(({ number: _number, ...revision }) => revision) };
}
