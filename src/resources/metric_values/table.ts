import { and, eq, type SQL, sql } from 'drizzle-orm';
import { integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type * as z from 'zod';
import { match } from '../../shared/filters.ts';
import type { Page } from '../../store/collection.ts';
import { jsonArrays } from '../../store/commit.ts';
import type { Transaction } from '../../store/transaction.ts';
import type { MetricValue, valueList } from './schema.ts';

/** One value of a metric for a unit type and a day; `position` is dense within the day, so that any page is found at once. */
export const metricValueTable = sqliteTable(
  'metric_values',
  {
    /** YYYY-MM-DD. */
    date: text().notNull(),
    position: integer().notNull(),
    metricName: text().notNull(),
    metricType: text().notNull(),
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

const columns = sql.raw('metricName, metricType, unitType, value, numerator, denominator');

/** How many values a day has, which is the position of its newest. */
const lastPosition = (date: string) =>
  sql`select coalesce(max(position), 0) as total from ${metricValueTable} where date = ${date}`;

/**
 * The statement that imports values, each of another metric or unit: one that the day has is replaced at its
 * position, a new one comes after the last.
 */
export const importValues = (date: string, values: MetricValue[]): SQL[] =>
  jsonArrays(values).map(
    (json) =>
      sql`insert into ${metricValueTable} (date, position, ${columns})
          select ${date},
          coalesce(known.position, (${lastPosition(date)}) +
            row_number() over (partition by known.position is null order by given.key)),
          given.value->>'metricName', given.value->>'metricType', given.value->>'unitType',
          given.value->>'value', given.value->>'numerator', given.value->>'denominator'
          from json_each(${json}) as given left join ${metricValueTable} as known
          on known.date = ${date} and known.metricName = given.value->>'metricName'
          and known.metricType = given.value->>'metricType' and known.unitType = given.value->>'unitType'
          where true on conflict (date, position) do update set
          value = excluded.value, numerator = excluded.numerator, denominator = excluded.denominator`,
  );

type Query = z.infer<typeof valueList>;

/** A page of a whole day, found by position: it reads the rows of that page alone, whichever it is. */
const wholeDay = ({ date, page, limit }: Query) => ({
  total: lastPosition(date),
  rows: sql`select ${columns} from ${metricValueTable}
    where date = ${date} and position <= (${lastPosition(date)}) - ${(page - 1) * limit}
    order by position desc limit ${limit}`,
});

/** A page of the values of a day that pass the filters; of one metric, it reads the values of that metric alone. */
function filtered({ date, metricName, metricType, page, limit }: Query) {
  const where = and(
    eq(metricValueTable.date, date),
    match(metricValueTable.metricName, metricName),
    match(metricValueTable.metricType, metricType),
  );
  const index = sql.raw(metricName === undefined ? '' : 'indexed by metric_values_metric');
  const from = sql`from ${metricValueTable} ${index} where ${where}`;
  return {
    total: sql`select count(*) as total ${from}`,
    rows: sql`select ${columns} ${from} order by position desc
      limit ${limit} offset ${(page - 1) * limit}`,
  };
}

/** Reads a page of the values of a day, newest first, in one round trip. */
export async function listValues(tx: Transaction, query: Query): Promise<Page<MetricValue>> {
  const { page, limit, metricName, metricType } = query;
  const isWholeDay = metricName === undefined && metricType === undefined;
  const { total, rows } = isWholeDay ? wholeDay(query) : filtered(query);
  const [counts, items] = await tx.read<[{ total: number }, MetricValue]>(
    sql`${total}`,
    sql`${rows}`,
  );
  return { items, totalItems: counts[0]?.total ?? 0, page, limit };
}
