import { and, count, eq, getTableColumns, inArray, max, type SQL, sql } from 'drizzle-orm';
import { integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type * as z from 'zod';
import { type Order, type Page, type PageRequest, pageOf, reading } from '../../store/pages.ts';
import type { Reads } from '../../store/reads.ts';
import { overRows } from '../../store/rows.ts';
import { compile, once, query, type Statement } from '../../store/statement.ts';
import type { MetricValue, valueList } from './schema.ts';

/** One value of a metric for a unit type and a day; `position` is dense within the day: its highest is how many there are. */
export const metricValueTable = sqliteTable(
  'metric_values',
  {
    /** YYYY-MM-DD. */
    date: text().notNull(),
    position: integer().notNull(),
    metricName: text().notNull(),
    metricType: text().$type<MetricValue['metricType']>().notNull(),
    unitType: text().notNull(),
    value: real().notNull(),
    numerator: real(),
    denominator: real(),
  },
  (table) => [
    primaryKey({ columns: [table.date, table.position] }),
    uniqueIndex('metric_values_metric').on(
      table.date,
      table.metricName,
      table.metricType,
      table.unitType,
    ),
  ],
);

const day = sql.placeholder('date');

/**
 * Imports given values, each of another metric or unit: one that the day has is replaced at its position, a new one
 * comes after the last. Drizzle cannot number rows, nor join what is given to what is there.
 */
const importGiven = overRows((given) =>
  query
    .insert(metricValueTable)
    .select(
      sql`select ${day}, coalesce(known.position,
            (select coalesce(max(position), 0) from ${metricValueTable} where date = ${day})
              + row_number() over (partition by known.position is null order by given.key)),
          given.value->>'metricName', given.value->>'metricType', given.value->>'unitType',
          given.value->>'value', given.value->>'numerator', given.value->>'denominator'
          from ${given} as given left join ${metricValueTable} as known
          on known.date = ${day} and known.metricName = given.value->>'metricName'
          and known.metricType = given.value->>'metricType' and known.unitType = given.value->>'unitType'
          where true`,
    )
    .onConflictDoUpdate({
      target: [metricValueTable.date, metricValueTable.position],
      set: {
        value: sql`excluded.value`,
        numerator: sql`excluded.numerator`,
        denominator: sql`excluded.denominator`,
      },
    }),
);

/** The statements that import the values of a day. */
export const importValues = (date: string, values: MetricValue[]): Statement[] =>
  importGiven(values, { date });

/** Which values of a day are wanted. */
type Filters = Pick<z.infer<typeof valueList>, 'date' | 'metricName' | 'metricType'>;

const newest: Order = {
  key: sql`${metricValueTable.position}`,
  keyFalls: true,
  positions: { key: 'number', id: 'number' },
};

const { date: _date, ...shown } = getTableColumns(metricValueTable);

/** The values of a day at the positions of those that pass: for those of one metric there is an index. */
const among = (date: string, passing: SQL | undefined) =>
  and(
    eq(metricValueTable.date, date),
    inArray(
      metricValueTable.position,
      query.select({ position: metricValueTable.position }).from(metricValueTable).where(passing),
    ),
  );

/** Reads a page of the values of a day, newest first, in one round trip. */
export async function listValues(
  tx: Reads,
  request: PageRequest,
  { date, metricName, metricType }: Filters,
): Promise<Page<MetricValue>> {
  const isWholeDay = metricName === undefined && metricType === undefined;
  const passing = and(
    eq(metricValueTable.date, date),
    metricName === undefined ? undefined : eq(metricValueTable.metricName, metricName),
    metricType === undefined ? undefined : eq(metricValueTable.metricType, metricType),
  );
  const { beyond, orderBy, values } = reading(newest, request);
  const rows = query
    .select(shown)
    .from(metricValueTable)
    .where(and(metricName === undefined ? passing : among(date, passing), beyond))
    .orderBy(...orderBy)
    .limit(request.limit + 1)
    .offset(request.position ? 0 : (request.page - 1) * request.limit);
  const counted = isWholeDay ? max(metricValueTable.position) : count();
  const total = query
    .select({ total: counted.as('total') })
    .from(metricValueTable)
    .where(passing);
  const [found, [howMany]] = await tx.read(compile(rows)(values), once(total));
  const { items, ...links } = pageOf(request, found, Number(howMany?.total ?? 0), (value) => ({
    key: value.position,
    id: value.position,
  }));
  return { ...links, items: items.map(({ position: _position, ...value }) => value) };
}
