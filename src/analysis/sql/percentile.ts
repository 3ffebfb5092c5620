import { Buffer } from 'node:buffer';
import { type SQL, sql } from 'drizzle-orm';
import { constant } from '../../platform/store/sql/expressions.ts';
import type { DayScope } from '../base/scope.ts';
import type { PercentilePlan } from '../plan/plan.ts';
import { eventsSQL, numberOfSource, type Period } from './events.ts';
import { type Chunk, exposedUnits } from './units.ts';

const everyUnit: Chunk = { after: '', size: 2 ** 31 };

const eventsOfUnit = (plan: PercentilePlan, { analysis }: DayScope, period: Period): SQL =>
  eventsSQL(analysis.unitType, [plan.source], period, plan.source.key !== null);

const keyOfGroup = (group: string) => `g${Buffer.from(group).toString('hex').toUpperCase()}`;

/** Returns a correlated subquery for the number of events of a unit, at most of a value of its group if given. */
export function eventCountSQL(
  plan: PercentilePlan,
  scope: DayScope,
  period: Period,
  atMost: readonly { group: string; value: number }[] = [],
): SQL {
  const events = eventsOfUnit(plan, scope, period);
  const number = numberOfSource(plan.source);
  if (atMost.length === 0) return sql`(select count(${number}) from ${events})`;
  const values = atMost.map(({ group, value }) => [keyOfGroup(group), value]);
  const json = JSON.stringify(Object.fromEntries(values));
  const value = sql`cast(${json} ->> ('g' || hex(x.g)) as real)`;
  return sql`(select count(*) from ${events} and ${number} <= ${value})`;
}

/** Selects the numbers at some ranks, from 1, among the events of a group in ascending order. */
export function numbersAtRanks(
  plan: PercentilePlan,
  scope: DayScope,
  period: Period,
  { group, ranks }: { group: string; ranks: readonly number[] },
): SQL {
  const number = numberOfSource(plan.source);
  const values = ranks.map(
    (rank, place) =>
      sql`(select number from n order by number limit 1 offset ${constant(rank - 1)}) as ${sql.identifier(`v${place}`)}`,
  );
  return sql`
    with n as materialized (
      select ${number} as number from (${exposedUnits(scope, everyUnit)}) x
      cross join ${eventsOfUnit(plan, scope, period)} and x.g = ${group} and ${number} is not null)
    select ${sql.join(values, sql`, `)}`;
}
