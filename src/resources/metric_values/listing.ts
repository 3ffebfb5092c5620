import { and, count, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { type Page, type PageRequest, pageOf } from '../../store/pages.ts';
import { once, query } from '../../store/statement.ts';
import { totals } from '../../store/tables.ts';
import type { Reads } from '../../store/terms.ts';
import { valueFacet } from './changing.ts';
import type { MetricValue, valueList } from './schema.ts';
import { metricValueTable } from './table.ts';

/** Which values are wanted: of one day or a range of them, of one metric, of one type. */
type Filters = Omit<z.infer<typeof valueList>, keyof PageRequest | 'after' | 'before'>;

const rangeOf = ({ date, startDate, endDate }: Filters) => ({
  from: date ?? startDate ?? '',
  to: date ?? endDate ?? '',
});

/**
 * Which days, and where in them: compared as a pair, so that the index is entered at the very row. One day is a range
 * too: compared for equality, it would have the primary key preferred to the index of a name or type.
 */
function within(filters: Filters, position: PageRequest['position']): SQL | undefined {
  const { from, to } = rangeOf(filters);
  if (!position) return sql`date between ${from} and ${to}`;
  const { side, key, id } = position;
  const [near, far] =
    side === 'after'
      ? [sql`+date <= ${to}`, sql`date >= ${from}`]
      : [sql`+date >= ${from}`, sql`date <= ${to}`];
  return and(sql`(date, position) ${beyond(side)} (${key}, ${id})`, near, far);
}

const beyond = (side: 'after' | 'before') => sql.raw(side === 'after' ? '<' : '>');

/** What values meet; by name, the index of names leads to them, as a name has few types. */
function passing(filters: Filters, position?: PageRequest['position']): SQL | undefined {
  const { metricName, metricType } = filters;
  const ofType = metricName === undefined ? sql`metricType` : sql`+metricType`;
  return and(
    within(filters, position),
    metricName === undefined ? undefined : eq(metricValueTable.metricName, metricName),
    metricType === undefined ? undefined : sql`${ofType} = ${metricType}`,
  );
}

/** The query for how many values there are: those of one name are counted, of others the totals are kept. */
function totalOf(filters: Filters) {
  if (filters.metricName !== undefined)
    return query
      .select({ total: count().as('total') })
      .from(metricValueTable)
      .where(passing(filters));
  const { from, to } = rangeOf(filters);
  const ofType = filters.metricType === undefined ? undefined : eq(totals.b, filters.metricType);
  return query
    .select({ total: sql<number>`coalesce(sum(count), 0)`.as('total') })
    .from(totals)
    .where(
      and(
        eq(totals.kind, 'metric_values'),
        eq(totals.facet, valueFacet),
        sql`a between ${from} and ${to}`,
        ofType,
      ),
    );
}

/** The query for the rows of a page and one more: newest day first, and within a day the last one. */
function rowsOf(filters: Filters, { page, limit, position }: PageRequest) {
  const direction = sql.raw(position?.side === 'before' ? 'asc' : 'desc');
  return query
    .select(getTableColumns(metricValueTable))
    .from(metricValueTable)
    .where(passing(filters, position))
    .orderBy(sql`date ${direction}`, sql`position ${direction}`)
    .limit(limit + 1)
    .offset(position ? 0 : (page - 1) * limit);
}

/** Reads a page of values, newest day first, in one round trip. */
export async function listValues(
  tx: Reads,
  request: PageRequest,
  filters: Filters,
): Promise<Page<MetricValue>> {
  const [rows, [counted]] = await tx.read(once(rowsOf(filters, request)), once(totalOf(filters)));
  const positionOf = (row: { date: string; position: number }) => ({
    key: row.date,
    id: row.position,
  });
  const { items, ...links } = pageOf(request, rows, counted?.total ?? 0, positionOf);
  return { ...links, items: items.map(({ date: _date, position: _place, ...value }) => value) };
}
