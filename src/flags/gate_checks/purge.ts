import { type SQL, sql } from 'drizzle-orm';
import { dayLength, hourLength } from '../../base/time.ts';
import type { Database } from '../../platform/store/sql/database.ts';
import { deleteInPieces, maxDeleted } from '../../platform/store/sql/deletions.ts';
import { constant } from '../../platform/store/sql/expressions.ts';
import { statement } from '../../platform/store/sql/statement.ts';
import { maxDays } from './schema.ts';
import { anyID } from './table.ts';

const firstKeptHour = (now: number): number => Math.floor((now - maxDays * dayLength) / hourLength);

/** Whether checks by hour are older than 30 days: every hour has a row of all gates. `now` in epoch milliseconds. */
export const hasOldGateChecks = (now: number): SQL =>
  sql`exists (select 1 from gate_checks where gateID = ${anyID} and hour < ${firstKeptHour(now)})`;

/** Deletes the rows of all gates last. Each gate is found before the one after it, so that no kept row is read. */
const purge = statement(sql`
  delete from gate_checks
  where (gateID, hour, ruleID) in (
    with recursive named (id) as (
      select max(gateID) from gate_checks
      union all
      select (select max(gateID) from gate_checks where gateID < named.id)
      from named where id is not null)
    select gateID, hour, ruleID
    from named cross join gate_checks on gateID = named.id and hour < ${sql.placeholder('hour')}
    limit ${constant(maxDeleted)})`);

/** Deletes checks by hour that are older than 30 days. `now` in epoch milliseconds. */
export async function purgeGateChecks(db: Database, now: number): Promise<void> {
  await deleteInPieces(db, purge({ hour: firstKeptHour(now) }));
}
