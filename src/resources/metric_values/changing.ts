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

/** What history calls the values. */
const kind = 'metric_values';

/** What the scheduler needs to count the values again. Here and below, Drizzle has no functions on JSON. */
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

/** Where the values of one day and type are counted. */
const countOf = ({ date, metricType }: { date: string; metricType: string }) => ({
  year: date.slice(0, 4),
  path: `$."${date} ${metricType}"`,
});

const { counts } = valueCountTable;

const [year, path] = [sql.placeholder('year'), sql.placeholder('path')];

const day = sql.placeholder('date');

/** Given values beside those that the day has of the same metric and unit. */
const beside = sql`left join ${metricValueTable} as known
  on known.date = ${day} and known.metricName = given.value->>'metricName'
  and known.metricType = given.value->>'metricType' and known.unitType = given.value->>'unitType'`;

/**
 * Counts those of given values of one type that the day does not have. By hand, as
 * Drizzle names the columns of what is given without their table, and `known` has the same.
 */
const countNew = overRows((given) =>
  query
    .insert(valueCountTable)
    .select(
      sql`select ${year}, json_set('{}', ${path}, count(*)) from ${given} as given ${beside}
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

/**
 * Imports given values, each of another metric or unit: one that the day has is replaced at its position, a new one
 * comes after the last.
 */
const importGiven = overRows((given) =>
  query
    .insert(metricValueTable)
    .select(
      sql`select ${day}, coalesce(known.position,
            coalesce((select position from ${metricValueTable} where date = ${day} order by position desc limit 1), 0)
              + row_number() over (order by given.key)),
          given.value->>'metricName', given.value->>'metricType', given.value->>'unitType',
          given.value->>'value', given.value->>'numerator', given.value->>'denominator'
          from ${given} as given ${beside} where true`,
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

/** Stages the import of values of a day; of those of one metric and unit the last. */
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
  // What is new is counted before it is there.
  const statements = [...counted, ...importGiven(values, { date })];
  tx.imports.push({ kind, statements, summary: { date, accepted: given.length } });
}

/** The values of one metric and day. */
type Removal = z.infer<typeof valueRemoval>;

/** In the form for which the index of names is used, whatever the day holds. */
const ofOneMetric = and(
  eq(metricValueTable.metricName, sql.placeholder('metricName')),
  between(metricValueTable.date, day, day),
  eq(unindexed(metricValueTable.metricType), sql.placeholder('metricType')),
);

const howManyOfOne = query
  .select({ count: count().as('count') })
  .from(metricValueTable)
  .where(ofOneMetric);

const howMany = compile(howManyOfOne);

const discount = compile(
  query
    .update(valueCountTable)
    .set({ counts: jsonWith(counts, path, minus(inside(counts, path), onlyValue(howManyOfOne))) })
    .where(eq(valueCountTable.year, year)),
);

const remove = compile(query.delete(metricValueTable).where(ofOneMetric));

/**
 * Stages the removal of the values of one metric and day; answers how many there were before the request. It counts
 * them again where it takes them away: an earlier one of many changes may have brought or removed some.
 */
export async function removeValues(tx: Transaction, removal: Removal): Promise<number> {
  const [found] = await tx.readFor(kind, howMany(removal));
  const removed = found?.count ?? 0;
  if (removed === 0 && !tx.imports.some((earlier) => earlier.kind === kind)) return 0;
  const statements: Statement[] = [discount({ ...countOf(removal), ...removal }), remove(removal)];
  tx.imports.push({ kind, action: 'delete', statements, summary: { ...removal, removed } });
  return removed;
}
