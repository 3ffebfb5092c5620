import { and, count, gte, inArray, lt, not, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { newestBy, type Order, type Page, type PageRequest, pageOf } from '../core/page.ts';
import { pageStatement, pageValues } from '../core/page_query.ts';
import type { Reads } from '../core/reads.ts';
import { qualified } from '../sql/expressions.ts';
import { remembered } from '../sql/rows.ts';
import { compileQuery, type Filled, query } from '../sql/statement.ts';
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
import { all, endOfNumbers, firstSince, type Numbered } from './ordinals.ts';

const numberBounds = ({ since, before }: AuditFilters, numbered: Numbered) => ({
  from: since === undefined ? undefined : firstSince(since, numbered),
  to: before === undefined ? undefined : firstSince(before, numbered),
});

/** Counts the rows one by one, for filters without a numbering. */
const countQuery = (where: SQL | undefined) =>
  query
    .select({ total: count().as('total') })
    .from(revisions)
    .where(where);

/** Gapless numbers need no count. */
function auditTotalQuery(
  filters: Resolved,
  numbered: Numbered | undefined,
  where: SQL | undefined,
) {
  if (!numbered) return countQuery(where);
  const { from = sql`1`, to = endOfNumbers(numbered) } = numberBounds(filters, numbered);
  const total = sql<number>`max(0, ${to} - ${from})`.as('total');
  return query.select({ total }).from(sql`(select 1)`);
}

const leftOutOf = ({ kind, except = [] }: AuditFilters): SQL | undefined =>
  kind === undefined && except.length > 0 ? inArray(revisions.kind, [...except]) : undefined;

/** For a range of days, the numbers of each kind are enough. */
function lessQueries(filters: Resolved, numbered: Numbered | undefined, days: SQL | undefined) {
  const leftOut = leftOutOf(filters);
  if (!leftOut) return [];
  if (numbered !== all) return [countQuery(and(conditionOf(filters, leftOut), days))];
  const kinds = filters.except ?? [];
  return kinds.map((kind) => auditTotalQuery(filters, numberedBy({ kind }), undefined));
}

/** A revision with the JSON of its changes. */
export type LoggedRevision = Omit<Revision, 'changes'> & { changes: string };

type AuditRow = LoggedRevision & { number: number };

/** Not parsed, because they are passed on as they are. */
const changes = sql<string>`${revisions.changes}`.as('changes');

const positionOfRow = ({ number }: AuditRow) => ({ key: number, id: number });

/** The selecting filter's numbers ascend with `seq`. Positions hold `place`: the next page may use another filter. */
function orderBy({ number }: Numbered, place: Numbered['number']): Order {
  const ofPlace = (at: SQLWrapper) =>
    sql`(select ${number} from ${revisions} where ${place} = ${at})`;
  return number === place ? newestBy(number) : { ...newestBy(number), keyOf: ofPlace };
}

interface AuditQueries {
  rows: Filled<AuditRow>;
  total: Filled<AuditCount>;
  less: Filled<AuditCount>[];
}

interface AuditCount {
  total: number;
}

function queriesFor(filters: Resolved, request: PageRequest): AuditQueries {
  const numbered = numberedBy(filters);
  const leader = numbered ?? leaderOf(filters) ?? all;
  const { number } = numbered ?? all;
  const { from, to } = numberBounds(filters, leader);
  const days = and(from && gte(leader.number, from), to && lt(leader.number, to));
  const where = and(conditionOf(filters), days);
  const leftOut = leftOutOf(filters);
  return {
    rows: pageStatement(orderBy(leader, number), request, (beyond) =>
      query
        .select({ ...shownColumns, changes, number: qualified(number).as('number') })
        .from(revisions)
        .where(and(where, leftOut && not(leftOut), beyond)),
    ),
    total: compileQuery(auditTotalQuery(filters, numbered, where)),
    less: lessQueries(filters, numbered, days).map((less) => compileQuery(less)),
  };
}

const compiled = remembered<AuditQueries>();

/** Returns the queries of a page. Those of the whole log are kept; filters have too many values. */
function auditQueries(asked: AuditFilters, filters: Resolved, request: PageRequest): AuditQueries {
  const { except = [], ...others } = asked;
  const build = () => queriesFor(filters, request);
  if (Object.values(others).some((value) => value !== undefined)) return build();
  return compiled([request.position?.side, ...except].join(' '), build);
}

/** Reads a page, newest first. One round trip, one more for an actor's name or a request, and one for several filters. */
export async function listRevisions(
  tx: Reads,
  request: PageRequest,
  asked: AuditFilters,
): Promise<Page<LoggedRevision>> {
  if (asked.except?.some((kind) => kind === asked.kind))
    return pageOf<AuditRow>(request, [], 0, positionOfRow);
  // Awaiting nothing would cost a turn of the event loop, and so a round trip.
  const filters = isResolved(asked) ? asked : await resolve(tx, asked);
  const { rows, total, less } = auditQueries(asked, filters, request);
  const [[found], ...totals] = await Promise.all([
    tx.read(rows(pageValues(newestBy(all.number), request))),
    tx.read(total()),
    ...less.map((each) => tx.read(each())),
  ]);
  const totalItems = totals
    .map(([[counted]]) => counted?.total ?? 0)
    .reduce((passing, less) => passing - less);
  const { items, ...links } = pageOf(request, found, totalItems, positionOfRow);
  return { ...links, items: items.map(({ number: _number, ...revision }) => revision) };
}
