import { type SQL, sql } from 'drizzle-orm';
import { boundedNumber } from '../plan/criteria.ts';
import type { Term, UploadedColumn } from '../plan/plan.ts';
import { least, type Period } from './events.ts';

const uploadsWithin = ({ from, to }: Period): SQL =>
  sql`u.ds >= (${least('max', from)}) / 86400000 and u.ds < (${least('min', to)} + 86399999) / 86400000`;

function uploadedAggregateSQL(aggregate: Term['aggregate'], number: SQL): SQL {
  if (aggregate === 'sum') return sql`total(${number})`;
  if (aggregate === 'max' || aggregate === 'min') return sql`${sql.raw(aggregate)}(${number})`;
  return sql`count(nullif(${number} > 0, 0))`;
}

/** Returns a subquery for the number of a term in uploaded values, as `bothTermsSQL` returns it. Days count whole. */
export function uploadedSQL(
  unitType: string,
  { aggregate, cap, uploaded }: Term & { uploaded: UploadedColumn },
  after: Period,
  past: Period | null,
): SQL {
  const { metricName, metricType, column } = uploaded;
  const given = boundedNumber(sql`u.${sql.identifier(column)}`);
  const number = cap === null ? given : sql`min(${given}, ${cap})`;
  const values = sql`unit_values u
    where u.metricName = ${metricName} and u.metricType = ${metricType} and u.unitType = ${unitType}
      and u.unit = x.unit and ${uploadsWithin({ from: (past ?? after).from, to: after.to })}`;
  if (aggregate === 'first' || aggregate === 'latest')
    return sql`(select printf('%!.17g 0 0', ${number}) from ${values} and ${number} is not null
      order by u.ds${aggregate === 'first' ? sql`` : sql` desc`} limit 1)`;
  const value = uploadedAggregateSQL(aggregate, number);
  const before = past ? sql`${value} filter (where ${uploadsWithin(past)})` : sql`0`;
  return sql`(select printf('%!.17g %!.17g %d', ${value} filter (where ${uploadsWithin(after)}), ${before},
        count(*) filter (where ${uploadsWithin(after)} and ${number} is null)) from ${values})`;
}
