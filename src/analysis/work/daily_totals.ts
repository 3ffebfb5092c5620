import { sql } from 'drizzle-orm';
import { distinct } from '../../base/distinct.ts';
import { metricID } from '../../base/naming.ts';
import { sumOf } from '../../base/numbers.ts';
import { dateOfDay, dayOfTime } from '../../base/time.ts';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';

export interface DailyTotal {
  metric: string;
  ds: number;
  total: number;
}

export const overall = 'overall';

/** Selects the totals of metrics from one day to another. */
export const readDailyTotals = (
  metrics: readonly string[],
  from: number,
  to: number,
): Statement<DailyTotal> =>
  statement(
    sql`select v.metricName, v.metricType, v.date, v.value
      from json_each(${JSON.stringify(distinct(metrics))}) m cross join metrics d on d.id = m.value
        cross join metric_values v
          on v.metricName = d.name and v.date between ${dateOfDay(from)} and ${dateOfDay(to)}
      where +v.metricType = d.type and +v.unitType = ${overall}`,
    ({ metricName, metricType, date, value }) => ({
      metric: metricID({ name: String(metricName), type: String(metricType) }),
      ds: dayOfTime(Date.parse(String(date))),
      total: Number(value),
    }),
  )();

/** Returns the average of a metric's totals over the days of a rollup; undefined without any. */
export function averageTotal(
  totals: readonly DailyTotal[],
  { metric, ds, rollup }: { metric: string; ds: number; rollup: number },
): number | undefined {
  const own = totals.filter(
    (one) => one.metric === metric && one.ds <= ds && (rollup === -1 || one.ds > ds - rollup),
  );
  return own.length > 0 ? sumOf(own.map(({ total }) => total)) / own.length : undefined;
}
