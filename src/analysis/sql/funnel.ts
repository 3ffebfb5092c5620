import { type SQL, sql } from 'drizzle-orm';
import { constant } from '../../platform/store/sql/expressions.ts';
import { metadataText } from '../plan/criteria.ts';
import type { FunnelPlan } from '../plan/plan.ts';
import { eventsSQL, isOf, type Period } from './events.ts';

const maxEvents = 10_000;

/** Returns a correlated subquery for the events of a unit in order, as JSON of `FunnelEvent`. */
export function stepsSQL(unitType: string, plan: FunnelPlan, period: Period): SQL {
  const matches = plan.steps.map(
    (source, step) => sql`iif(${isOf(source)}, ${constant(2 ** step)}, 0)`,
  );
  const session = plan.session === null ? sql`null` : metadataText(plan.session);
  const events = eventsSQL(unitType, plan.steps, period, plan.session !== null);
  return sql`(select json_group_array(json_array(matches, time, session)) from (
    select ${sql.join(matches, sql` + `)} as matches, e.timestamp - x.t as time, ${session} as session
    from ${events} order by e.timestamp, e.seq limit ${constant(maxEvents)}))`;
}
