import { count, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { overRows } from '../../store/rows.ts';
import { compile, query, type Statement } from '../../store/statement.ts';
import { totals } from '../../store/tables.ts';
import type { Transaction } from '../../store/terms.ts';
import { lastOfEach, type MetricValue, type valueRemoval } from './schema.ts';
import { metricValueTable } from './table.ts';

/** What history and the totals call the values. */
const kind = 'metric_values';

/** The properties that the values are counted by. */
export const valueFacet = 'date,metricType';

/** What the scheduler needs to count the values again; a day and type without any keeps its zero. */
export const countedValues = {
  kind,
  recount: compile(
    query
      .update(totals)
      .set({
        count: sql`(select count(*) from ${metricValueTable} where date = a and metricType = b)`,
      })
      .where(sql`kind = ${kind} and facet = ${valueFacet}`),
  ),
};

const day = sql.placeholder('date');

/** Given values beside those that the day has of the same metric and unit. */
const beside = sql`left join ${metricValueTable} as known
  on known.date = ${day} and known.metricName = given.value->>'metricName'
  and known.metricType = given.value->>'metricType' and known.unitType = given.value->>'unitType'`;

/** Counts those of given values that the day does not have. Drizzle cannot join what is given to what is there. */
const countNew = overRows((given) =>
  query
    .insert(totals)
    .select(
      sql`select ${kind}, ${valueFacet}, ${day}, given.value->>'metricType', '', count(*), 0
          from ${given} as given ${beside} where known.position is null
          group by given.value->>'metricType'`,
    )
    .onConflictDoUpdate({
      target: [totals.kind, totals.facet, totals.a, totals.b, totals.c],
      set: { count: sql`count + excluded.count` },
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
              + row_number() over (partition by known.position is null order by given.key)),
          given.value->>'metricName', given.value->>'metricType', given.value->>'unitType',
          given.value->>'value', given.value->>'numerator', given.value->>'denominator'
          from ${given} as given ${beside} where true`,
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

/** Stages the import of values of a day; of those of one metric and unit the last. */
export function importValues(tx: Transaction, date: string, given: MetricValue[]): void {
  const values = lastOfEach(given);
  const stored = importGiven(values, { date });
  const counted = countNew(values, { date });
  // What is new is counted before it is there.
  const statements = stored.flatMap((statement, part) => [counted[part] ?? [], statement].flat());
  tx.imports.push({ kind, statements, summary: { date, accepted: given.length } });
}

/** The values of one metric and day. */
type Removal = z.infer<typeof valueRemoval>;

/** In the form for which the index of names is used, whatever the day holds. */
const ofOneMetric = sql`metricName = ${sql.placeholder('metricName')}
  and date between ${day} and ${day} and +metricType = ${sql.placeholder('metricType')}`;

const howMany = compile(
  query
    .select({ count: count().as('count') })
    .from(metricValueTable)
    .where(ofOneMetric),
);

const discount = compile(
  query
    .update(totals)
    .set({ count: sql`count - ${sql.placeholder('removed')}` })
    .where(
      sql`kind = ${kind} and facet = ${valueFacet} and a = ${day}
        and b = ${sql.placeholder('metricType')} and c = ''`,
    ),
);

const remove = compile(query.delete(metricValueTable).where(ofOneMetric));

/** Stages the removal of the values of one metric and day; answers how many there are. */
export async function removeValues(tx: Transaction, removal: Removal): Promise<number> {
  const [found] = await tx.readFor(kind, howMany(removal));
  const removed = found?.count ?? 0;
  if (removed === 0) return 0;
  const statements: Statement[] = [discount({ ...removal, removed }), remove(removal)];
  tx.imports.push({ kind, action: 'delete', statements, summary: { ...removal, removed } });
  return removed;
}
