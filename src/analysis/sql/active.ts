import { type SQL, sql } from 'drizzle-orm';
import { constant } from '../../platform/store/sql/expressions.ts';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';
import type { PercentilePlan } from '../plan/plan.ts';
import { eventsSQL, numberOfSource, periodOf } from './events.ts';
import { valueColumn } from './units.ts';

/** Bounds of one statement. `events` bounds its scan; `units` bounds its rows, as in the chunks of a load. */
const limits = { events: 500_000, units: 10_000 };

/** Epoch milliseconds; `to` is exclusive. */
export interface DayRange {
  from: number;
  to: number;
}

const customID = (unitType: string): SQL =>
  sql`(select id.value from json_each(v.unitIDs) id where lower(id.key) = ${unitType})`;

const unitSQL = (unitType: string): SQL =>
  unitType === 'userid'
    ? sql`coalesce(nullif(v.userID, ''), ${customID(unitType)})`
    : customID(unitType);

const activeUnits = (unitType: string, { from, to }: DayRange): SQL => sql`
  select * from (
    select *, 'all' as g, count(unit) over () as total, sum(events) over () as allEvents, max(t) over () as last
    from (
      select unit, min(timestamp) as t, count(*) as events, userID, unitIDs, metadata from (
        select ${unitSQL(unitType)} as unit, v.timestamp, v.userID, v.unitIDs, v.metadata from events v
        where v.timestamp >= ${constant(from)} and v.timestamp < ${constant(to)}
        order by v.timestamp limit ${constant(limits.events)})
      group by unit))
  where unit is not null order by unit limit ${constant(limits.units)}`;

export interface ActiveRow {
  unit: string;
  time: number;
  raw: unknown[];
  total: number;
  allEvents: number;
  last: number;
}

const activeRow =
  (columns: number) =>
  (row: Record<string, unknown>): ActiveRow => ({
    unit: String(row.unit),
    time: Number(row.t),
    raw: Array.from({ length: columns }, (_, place) => row[valueColumn(place)]),
    total: Number(row.total ?? 0),
    allEvents: Number(row.allEvents ?? 0),
    last: Number(row.last ?? 0),
  });

/** Returns the statement that reads columns of the units with an event in a period; `x` is the unit in these. */
export function readActiveUnits(
  unitType: string,
  days: DayRange,
  columns: readonly SQL[],
): Statement<ActiveRow> {
  const named = columns.map(
    (each, place) => sql`, ${each} as ${sql.identifier(valueColumn(place))}`,
  );
  return statement(
    sql`with x as (${activeUnits(unitType, days)})
      select x.unit, x.t, x.total, x.allEvents, x.last${sql.join(named)} from x order by x.unit`,
    activeRow(columns.length),
  )();
}

/** Returns the statement that reads one row with the percentile of the events of the units. */
export function readPercentile(
  plan: PercentilePlan,
  unitType: string,
  days: DayRange,
): Statement<ActiveRow> {
  const number = numberOfSource(plan.source);
  const period = periodOf(plan.window, days.to, null);
  const events = eventsSQL(unitType, [plan.source], period, plan.source.key !== null);
  // The offset is one less than `rankAt`.
  return statement(
    sql`with x as materialized (${activeUnits(unitType, days)}),
      n as materialized (select ${number} as number from x cross join ${events} and ${number} is not null)
      select max(x.total) as total, max(x.allEvents) as allEvents, max(x.last) as last,
        (select number from n order by number limit 1
          offset cast(${plan.p} * (select count(*) from n) - 1e-9 as integer)) as c0
      from x`,
    activeRow(1),
  )();
}

/** Returns the number of units, and how many milliseconds the read events cover. */
export function extentOfRead([row]: readonly ActiveRow[], { from, to }: DayRange) {
  const { total = 0, allEvents = 0, last = 0 } = row ?? {};
  const isCut = allEvents >= limits.events;
  return {
    units: total,
    covered: (isCut ? last + 1 : to) - from,
    isPartial: isCut || total > limits.units,
  };
}
