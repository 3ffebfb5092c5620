import { sql } from 'drizzle-orm';
import { lastOfEach } from '../../base/distinct.ts';
import { overRows } from '../../platform/store/sql/rows.ts';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';
import { type Check, type Exposure, type exposureCounts, rejectedReports } from './table.ts';

const addUnitCounts = overRows((given) =>
  statement(sql`
    insert into exposure_counts (kind, id, start, "group", units)
    select value->>'kind', value->>'id', value->>'start', value->>'group', count(*)
    from ${given}
    where not exists (
      select 1 from exposures as seen
      where seen.kind = value->>'kind' and seen.id = value->>'id' and seen.start = value->>'start'
        and seen.unitType = value->>'unitType' and seen.unit = value->>'unit'
        and seen."group" = value->>'group')
    group by value->>'kind', value->>'id', value->>'start', value->>'group'
    on conflict (kind, id, start, "group") do update set units = units + excluded.units`),
);

const insertExposures = overRows((given) =>
  statement(sql`
    insert into exposures
      (kind, id, start, unitType, unit, "group", firstTime, draw, attributes, sender)
    select value->>'kind', value->>'id', value->>'start', value->>'unitType', value->>'unit',
      value->>'group', value->>'firstTime', value->>'draw', value->'attributes', value->>'sender'
    from ${given} where true
    on conflict (kind, id, start, unitType, unit, "group") do update
      set firstTime = min(exposures.firstTime, excluded.firstTime),
        attributes = iif(excluded.firstTime < exposures.firstTime, excluded.attributes,
          exposures.attributes),
        sender = excluded.sender
      where excluded.sender <> 'client'
        and (excluded.firstTime < exposures.firstTime or exposures.sender = 'client')`),
);

/** Returns the primary key of an exposure as text. */
export const exposureKey = ({ kind, id, start, unitType, unit, group }: Exposure): string =>
  JSON.stringify([kind, id, start, unitType, unit, group]);

const isOfClient = ({ sender }: Exposure) => (sender === 'client' ? 1 : 0);

/** A client decides nothing about an exposure that another sender reports as well. */
function earliestOfEach(given: readonly Exposure[]): Exposure[] {
  const latestFirst = given.toSorted(
    (a, b) => isOfClient(b) - isOfClient(a) || b.firstTime - a.firstTime,
  );
  return lastOfEach(latestFirst, exposureKey);
}

/**
 * Returns the statements that record exposures: a unit is counted once in a group, and its earliest time is kept. A
 * client changes no stored exposure.
 */
export function recordExposures(given: readonly Exposure[]): Statement[] {
  const rows = earliestOfEach(given);
  return [...addUnitCounts(rows), ...insertExposures(rows)];
}

const addRejectedReports = overRows((given) =>
  statement(sql`
    insert into exposure_counts (kind, id, start, "group", units)
    select value->>'kind', value->>'id', value->>'start', value->>'group', value->>'units'
    from ${given} where true
    on conflict (kind, id, start, "group") do update set units = units + excluded.units`),
);

/** Returns the statements that count rejected reports, in one row for each run of an entity. */
export function recordRejectedReports(given: readonly Exposure[]): Statement[] {
  const rows = new Map<string, typeof exposureCounts.$inferInsert>();
  for (const { kind, id, start } of given) {
    const key = JSON.stringify([kind, id, start]);
    const units = (rows.get(key)?.units ?? 0) + 1;
    rows.set(key, { kind, id, start, group: rejectedReports, units });
  }
  return addRejectedReports([...rows.values()]);
}

/** Returns the statements that add checks by entity and hour. Checks of the hour before are added to `previous`. */
export const recordChecks: (given: readonly Check[]) => Statement[] = overRows((given) =>
  statement(sql`
    insert into checks (kind, id, hour, count, previous, lastTrue, lastFalse)
    select value->>'kind', value->>'id', value->>'hour', value->>'count', value->>'previous',
      value->>'lastTrue', value->>'lastFalse'
    from ${given} where true
    on conflict (kind, id) do update set
      hour = max(hour, excluded.hour),
      count = case
        when excluded.hour > hour then excluded.count
        when excluded.hour = hour then count + excluded.count
        else count end,
      previous = case
        when excluded.hour = hour + 1 then count
        when excluded.hour > hour then 0
        when excluded.hour = hour - 1 then previous + excluded.count
        else previous end,
      lastTrue = coalesce(max(lastTrue, excluded.lastTrue), lastTrue, excluded.lastTrue),
      lastFalse = coalesce(max(lastFalse, excluded.lastFalse), lastFalse, excluded.lastFalse)`),
);
