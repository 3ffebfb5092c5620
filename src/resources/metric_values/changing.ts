import { and, between, count, eq, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { lastOfEach } from '../../shared/distinct.ts';
import type { Transaction } from '../../store/core/transaction.ts';
import {
  constant,
  excluded,
  inside,
  jsonWith,
  minus,
  onlyValue,
  orElse,
  plus,
  unindexed,
} from '../../store/sql/expressions.ts';
import { overRows, primaryKeyOf } from '../../store/sql/rows.ts';
import { compile, query, type Statement } from '../../store/sql/statement.ts';
import type { MetricValue, valueRemoval } from './schema.ts';
import { metricValueTable, valueCountTable } from './table.ts';

const kind = 'metric_values';

/** The statements with which the scheduler recounts values. Drizzle has no functions on JSON, here and below. */
export const countedValues = {
  kind,
  recount: [
    compile(query.delete(valueCountTable)),
    compile(
      query.insert(valueCountTable).select(
        sql`select substr(date, 1, 4), json_group_object(date || ' ' || metricType, many) from (
              select date, metricType, count(*) as many from ${metricValueTable} group by date, metricType)
            group by substr(date, 1, 4)`,
      ),
    ),
  ],
};

const countOf = ({ date, metricType }: { date: string; metricType: string }) => ({
  year: date.slice(0, 4),
  path: `$."${date} ${metricType}"`,
});

const { counts } = valueCountTable;

const [year, path] = [sql.placeholder('year'), sql.placeholder('path')];

const day = sql.placeholder('date');

/** Joins values with the stored ones of the day for the same metric and unit type. */
const joinStored = sql`left join ${metricValueTable} as known
  on known.date = ${day} and known.metricName = given.value->>'metricName'
  and known.metricType = given.value->>'metricType' and known.unitType = given.value->>'unitType'`;

/** Counts the new values of one type. By hand, as Drizzle omits the table of ambiguous columns. */
const countNew = overRows((given) =>
  query
    .insert(valueCountTable)
    .select(
      sql`select ${year}, json_set('{}', ${path}, count(*)) from ${given} as given ${joinStored}
          where known.position is null and given.value->>'metricType' = ${sql.placeholder('metricType')}`,
    )
    .onConflictDoUpdate({
      target: primaryKeyOf(valueCountTable),
      set: {
        counts: jsonWith(
          counts,
          path,
          plus(orElse(inside(counts, path), constant(0)), inside(excluded(counts), path)),
        ),
      },
    }),
);

/** Imports values: an existing one is replaced at its position, a new one is appended. */
const upsertValues = overRows((given) =>
  query
    .insert(metricValueTable)
    .select(
      sql`select ${day}, coalesce(known.position,
            coalesce((select position from ${metricValueTable} where date = ${day} order by position desc limit 1), 0)
              + row_number() over (order by given.key)),
          given.value->>'metricName', given.value->>'metricType', given.value->>'unitType',
          given.value->>'value', given.value->>'numerator', given.value->>'denominator'
          from ${given} as given ${joinStored} where true`,
    )
    .onConflictDoUpdate({
      target: primaryKeyOf(metricValueTable),
      set: {
        value: excluded(metricValueTable.value),
        numerator: excluded(metricValueTable.numerator),
        denominator: excluded(metricValueTable.denominator),
      },
    }),
);

/** Stages the import of values of a day; the last one of each metric and unit type counts. */
export function importValues(tx: Transaction, date: string, given: MetricValue[]): void {
  const values = lastOfEach(given, ({ metricName, metricType, unitType }) => [
    metricName,
    metricType,
    unitType,
  ]);
  const byType = Map.groupBy(values, ({ metricType }) => metricType);
  const counted = [...byType].flatMap(([metricType, some]) =>
    countNew(some, { date, metricType, ...countOf({ date, metricType }) }),
  );
  // New values must be counted before they are inserted.
  const statements = [...counted, ...upsertValues(values, { date })];
  tx.imports.push({ kind, statements, summary: { date, accepted: given.length } });
}

type Removal = z.infer<typeof valueRemoval>;

/** In a form for which SQLite uses the index of names, regardless of statistics. */
const ofOneMetric = and(
  eq(metricValueTable.metricName, sql.placeholder('metricName')),
  between(metricValueTable.date, day, day),
  eq(unindexed(metricValueTable.metricType), sql.placeholder('metricType')),
);

const countOfMetric = query
  .select({ count: count().as('count') })
  .from(metricValueTable)
  .where(ofOneMetric);

const countMetric = compile(countOfMetric);

const discount = compile(
  query
    .update(valueCountTable)
    .set({ counts: jsonWith(counts, path, minus(inside(counts, path), onlyValue(countOfMetric))) })
    .where(eq(valueCountTable.year, year)),
);

const remove = compile(query.delete(metricValueTable).where(ofOneMetric));

/**
 * Stages the removal of the values of one metric and day; returns their number before the request. The statement counts
 * again: earlier changes of the request may have added or removed some.
 */
export async function removeValues(tx: Transaction, removal: Removal): Promise<number> {
  const [found] = await tx.readFor(kind, countMetric(removal));
  const removed = found?.count ?? 0;
  if (removed === 0 && !tx.imports.some((earlier) => earlier.kind === kind)) return 0;
  const statements: Statement[] = [discount({ ...countOf(removal), ...removal }), remove(removal)];
  tx.imports.push({ kind, action: 'delete', statements, summary: { ...removal, removed } });
  return removed;
}
