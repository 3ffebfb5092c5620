import { sql } from 'drizzle-orm';
import { dayLength } from '../../base/time.ts';
import { constant } from '../../platform/store/sql/expressions.ts';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';
import type { MetricSource } from '../plan/plan.ts';
import { isOf, numberOfSource } from './events.ts';

export interface SourceTotal {
  ds: number;
  unitTypes: string[];
  count: number;
  sum: number;
}

const number = sql`iif(cast(value as real) = value and abs(cast(value as real)) <= 1.7976931348623157e308,
  cast(value as real), null)`;

/** Selects the events of a source by day and the types of their IDs. `e` and `v` are as in criteria. */
export const readSourceTotals = (
  source: MetricSource,
  { from, to }: { from: number; to: number },
): Statement<SourceTotal> =>
  statement(
    sql`with e as (
        select seq, name, timestamp, ${number} as number from events
        where name = ${source.event} and timestamp >= ${constant(from * dayLength)}
          and timestamp < ${constant((to + 1) * dayLength)})
      select e.timestamp / 86400000 as ds, v.userID <> '' as hasUserID,
        iif(v.unitIDs = '{}', '[]', (select json_group_array(lower(id.key)) from json_each(v.unitIDs) id)) as types,
        count(*) as count, total(${numberOfSource(source)}) as sum
      from e cross join events v on v.seq = e.seq where ${isOf(source)}
      group by 1, 2, 3`,
    ({ ds, hasUserID, types, count, sum }) => ({
      ds: Number(ds),
      unitTypes: [...(hasUserID ? ['userid'] : []), ...JSON.parse(String(types))],
      count: Number(count),
      sum: Number(sum),
    }),
  )();
