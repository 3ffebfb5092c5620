import { type SQL, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { lastOfEach } from '../../base/distinct.ts';
import type { Transaction } from '../../platform/store/core/transaction.ts';
import { always } from '../../platform/store/sql/expressions.ts';
import { overRows } from '../../platform/store/sql/rows.ts';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';
import type { MetricValue, valueRemoval } from './schema.ts';

const kind = 'metric_values';

export const countedValues = {
  kind,
  recount: [
    statement(sql`delete from metric_value_counts`),
    statement(sql`
      insert into metric_value_counts (year, counts)
      select substr(date, 1, 4), json_group_object(date || ' ' || metricType, many)
      from (
        select date, metricType, count(*) as many from metric_values group by date, metricType)
      group by substr(date, 1, 4)`),
  ],
};

const countPath = ({ date, metricType }: { date: string; metricType: string }) => ({
  year: date.slice(0, 4),
  path: `$."${date} ${metricType}"`,
});

const [year, path] = [sql.placeholder('year'), sql.placeholder('path')];

const [day, metricType] = [sql.placeholder('date'), sql.placeholder('metricType')];

const joinStored = sql`left join metric_values as known
  on known.date = ${day} and known.metricName = given.value->>'metricName'
    and known.metricType = given.value->>'metricType'
    and known.unitType = given.value->>'unitType'`;

const countNew = overRows((given) =>
  statement(sql`
    insert into metric_value_counts (year, counts)
    select ${year}, json_set('{}', ${path}, count(*))
    from ${given} as given ${joinStored}
    where known.position is null and given.value->>'metricType' = ${metricType}
    on conflict (year) do update set counts = json_set(
      counts, ${path}, coalesce(counts->>${path}, 0) + (excluded.counts->>${path}))`),
);

const insertValues = (given: SQL, which: SQL): SQL => sql`
  insert into metric_values
    (date, position, metricName, metricType, unitType, value, numerator, denominator)
  select ${day},
    coalesce(
      known.position,
      coalesce(
        (select position from metric_values where date = ${day} order by position desc limit 1),
        0) + row_number() over (order by given.key)),
    given.value->>'metricName', given.value->>'metricType', given.value->>'unitType',
    given.value->>'value', given.value->>'numerator', given.value->>'denominator'
  from ${given} as given ${joinStored} where ${which}`;

const upsertValues = overRows((given) =>
  statement(sql`${insertValues(given, always)}
    on conflict (date, position) do update set
      value = excluded.value, numerator = excluded.numerator, denominator = excluded.denominator`),
);

const appendValues = overRows((given) =>
  statement(insertValues(given, sql`known.position is null`)),
);

const countAll = (date: string, values: readonly MetricValue[]): Statement[] =>
  [...Map.groupBy(values, ({ metricType }) => metricType)].flatMap(([metricType, some]) =>
    countNew(some, { date, metricType, ...countPath({ date, metricType }) }),
  );

/** Returns the statements that store values of a day, except for a metric and unit type that have one. */
export const addValues = (date: string, values: readonly MetricValue[]): Statement[] =>
  values.length === 0 ? [] : [...countAll(date, values), ...appendValues(values, { date })];

/** Stages the import of values of a day; the last one of each metric and unit type counts. */
export function importValues(tx: Transaction, date: string, given: MetricValue[]): void {
  const values = lastOfEach(given, ({ metricName, metricType, unitType }) => [
    metricName,
    metricType,
    unitType,
  ]);
  const statements = [...countAll(date, values), ...upsertValues(values, { date })];
  tx.loggedRows.push({ kind, statements, summary: { date, accepted: given.length } });
}

type Removal = z.infer<typeof valueRemoval>;

/** In a form for which SQLite uses the index of names, regardless of statistics. */
const ofOneMetric = sql`metricName = ${sql.placeholder('metricName')}
  and date between ${day} and ${day} and +metricType = ${metricType}`;

const countMetric = statement<{ count: number }>(
  sql`select count(*) as count from metric_values where ${ofOneMetric}`,
);

const discount = statement(sql`
  update metric_value_counts
  set counts = json_set(
    counts, ${path},
    (counts->>${path}) - (select count(*) from metric_values where ${ofOneMetric}))
  where year = ${year}`);

const remove = statement(sql`delete from metric_values where ${ofOneMetric}`);

/** Stages the removal of the values of one metric and day; returns their number before the request. */
export async function removeValues(tx: Transaction, removal: Removal): Promise<number> {
  const [found] = await tx.readFor(kind, countMetric(removal));
  const removed = found?.count ?? 0;
  if (removed === 0 && !tx.loggedRows.some((earlier) => earlier.kind === kind)) return 0;
  const statements: Statement[] = [
    discount({ ...countPath(removal), ...removal }),
    remove(removal),
  ];
  tx.loggedRows.push({ kind, action: 'delete', statements, summary: { ...removal, removed } });
  return removed;
}
