import { and, between, count, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { type Page, type PageRequest, pageOf } from '../../store/pages.ts';
import { compile, once, query } from '../../store/statement.ts';
import type { Reads } from '../../store/terms.ts';
import type { ListedValue, valueList } from './schema.ts';
import { metricValueTable, valueCountTable } from './table.ts';

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

/** The values of one name, which are counted. */
const named = (filters: Filters) =>
  query
    .select({ total: count().as('total') })
    .from(metricValueTable)
    .where(passing(filters));

const countsBetween = compile(
  query
    .select({ counts: valueCountTable.counts })
    .from(valueCountTable)
    .where(between(valueCountTable.year, sql.placeholder('from'), sql.placeholder('to'))),
);

/** How many values pass, in the same round trip as the page: of all names, the counts of days are added up. */
async function totalOf(tx: Reads, filters: Filters): Promise<number> {
  if (filters.metricName !== undefined) {
    const [[counted]] = await tx.read(once(named(filters)));
    return counted?.total ?? 0;
  }
  const { from, to } = rangeOf(filters);
  const [years] = await tx.read(countsBetween({ from: from.slice(0, 4), to: to.slice(0, 4) }));
  return years
    .flatMap(({ counts }) => Object.entries(counts))
    .filter(([key]) => {
      const [date = '', type] = key.split(' ');
      return date >= from && date <= to && (filters.metricType ?? type) === type;
    })
    .reduce((sum, [, many]) => sum + many, 0);
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
): Promise<Page<ListedValue>> {
  const [[rows], total] = await Promise.all([
    tx.read(once(rowsOf(filters, request))),
    totalOf(tx, filters),
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
