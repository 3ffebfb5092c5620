import { and, asc, between, count, desc, eq, gt, gte, lt, lte, type SQL, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { sumOf } from '../../base/numbers.ts';
import {
  limitAndOffset,
  type Page,
  type PageRequest,
  pageOf,
  requireFittingPosition,
} from '../../platform/store/core/page.ts';
import type { Reads } from '../../platform/store/core/reads.ts';
import { constant, unindexed } from '../../platform/store/sql/expressions.ts';
import { compileQuery, once, query } from '../../platform/store/sql/statement.ts';
import type { ListedValue, valueList } from './schema.ts';
import { metricValueTable, valueCountTable } from './table.ts';

const { date, position } = metricValueTable;

type Filters = Omit<z.infer<typeof valueList>, keyof PageRequest | 'after' | 'before'>;

const rangeOf = ({ date, startDate, endDate }: Filters) => ({
  from: date ?? startDate ?? '',
  to: date ?? endDate ?? '',
});

/** One day is a range too: with equality, SQLite would prefer the primary key. */
function within(filters: Filters, at: PageRequest['position']): SQL | undefined {
  const { from, to } = rangeOf(filters);
  if (!at) return between(date, from, to);
  const pair = [sql`(${date}, ${position})`, sql`(${at.key}, ${constant(at.id)})`] as const;
  return at.side === 'after'
    ? and(lt(...pair), lte(unindexed(date), to), gte(date, from))
    : and(gt(...pair), gte(unindexed(date), from), lte(date, to));
}

function matching(filters: Filters, at?: PageRequest['position']): SQL | undefined {
  const { metricName, metricType } = filters;
  const { metricType: type } = metricValueTable;
  return and(
    within(filters, at),
    metricName === undefined ? undefined : eq(metricValueTable.metricName, metricName),
    metricType &&
      (metricName === undefined ? eq(type, metricType) : eq(unindexed(type), metricType)),
  );
}

const countNamed = (filters: Filters) =>
  query
    .select({ total: count().as('total') })
    .from(metricValueTable)
    .where(matching(filters));

const countsBetween = compileQuery(
  query
    .select({ counts: valueCountTable.counts })
    .from(valueCountTable)
    .where(between(valueCountTable.year, sql.placeholder('from'), sql.placeholder('to'))),
);

async function metricValueTotal(tx: Reads, filters: Filters): Promise<number> {
  if (filters.metricName !== undefined) {
    const [[counted]] = await tx.read(once(countNamed(filters)));
    return counted?.total ?? 0;
  }
  const { from, to } = rangeOf(filters);
  const [years] = await tx.read(countsBetween({ from: from.slice(0, 4), to: to.slice(0, 4) }));
  const counted = years
    .flatMap(({ counts }) => Object.entries(counts))
    .filter(([key]) => {
      const [date = '', type] = key.split(' ');
      return date >= from && date <= to && (filters.metricType ?? type) === type;
    });
  return sumOf(counted.map(([, many]) => many));
}

function metricValueRows(filters: Filters, request: PageRequest) {
  const { position: at } = request;
  const { limit, offset } = limitAndOffset(request);
  const along = at?.side === 'before' ? asc : desc;
  return query
    .select()
    .from(metricValueTable)
    .where(matching(filters, at))
    .orderBy(along(date), along(position))
    .limit(limit)
    .offset(offset);
}

/** Reads a page of values, newest day first, in one round trip. @throws Problem 400 for a position of another list */
export async function listValues(
  tx: Reads,
  request: PageRequest,
  filters: Filters,
): Promise<Page<ListedValue>> {
  requireFittingPosition(request.position, { key: 'string', id: 'number' });
  const [[rows], total] = await Promise.all([
    tx.read(once(metricValueRows(filters, request))),
    metricValueTotal(tx, filters),
  ]);
  const positionOf = (row: { date: string; position: number }) => ({
    key: row.date,
    id: row.position,
  });
  const { items, ...links } = pageOf(request, rows, total, positionOf);
  return {
    ...links,
    items: items.map(({ date, position: _place, ...value }) => ({ ...value, date })),
  };
}
