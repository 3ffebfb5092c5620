import { and, type Column, count, eq, exists, gt, lt, not, type SQLWrapper } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { lastOfEach } from '../../shared/distinct.ts';
import { columnOf } from '../../store/sql/columns.ts';
import {
  constant,
  excluded,
  grown,
  iif,
  larger,
  orElse,
  plus,
  property,
} from '../../store/sql/expressions.ts';
import { overRows, primaryKeyOf, valuesOf } from '../../store/sql/rows.ts';
import { query, type Statement } from '../../store/sql/statement.ts';
import {
  type Check,
  checks,
  type Exposure,
  exposureCounts,
  exposures,
  rejectedReports,
} from './table.ts';

const keyNames = primaryKeyOf(exposures).map(({ name }) => name);

const recorded = alias(exposures, 'seen');

const isRecorded = exists(
  query
    .select({ unit: recorded.unit })
    .from(recorded)
    .where(and(...keyNames.map((name) => eq(columnOf(recorded, name), property(name))))),
);

const addUnitCounts = overRows((given) =>
  query
    .insert(exposureCounts)
    .select(
      query
        .select({
          kind: property('kind').as('kind'),
          id: property('id').as('id'),
          start: property('start').as('start'),
          group: property('group').as('group'),
          units: count().as('units'),
        })
        .from(given)
        .where(not(isRecorded))
        .groupBy(property('kind'), property('id'), property('start'), property('group')),
    )
    .onConflictDoUpdate({
      target: primaryKeyOf(exposureCounts),
      set: { units: grown(exposureCounts.units) },
    }),
);

const insertExposures = overRows((given) =>
  query
    .insert(exposures)
    .select(valuesOf(exposures, given))
    .onConflictDoUpdate({
      target: primaryKeyOf(exposures),
      set: {
        firstTime: excluded(exposures.firstTime),
        attributes: excluded(exposures.attributes),
      },
      setWhere: lt(excluded(exposures.firstTime), exposures.firstTime),
    }),
);

/** Returns the primary key of an exposure as text. */
export const exposureKey = ({ kind, id, start, unitType, unit, group }: Exposure): string =>
  JSON.stringify([kind, id, start, unitType, unit, group]);

function earliestOfEach(given: readonly Exposure[]): Exposure[] {
  const latestFirst = given.toSorted((a, b) => b.firstTime - a.firstTime);
  return lastOfEach(latestFirst, exposureKey);
}

/** Returns the statements that record exposures: a unit is counted once in a group, and its earliest time is kept. */
export function recordExposures(given: readonly Exposure[]): Statement[] {
  const rows = earliestOfEach(given);
  return [...addUnitCounts(rows), ...insertExposures(rows)];
}

const addRejectedReports = overRows((given) =>
  query
    .insert(exposureCounts)
    .select(valuesOf(exposureCounts, given))
    .onConflictDoUpdate({
      target: primaryKeyOf(exposureCounts),
      set: { units: grown(exposureCounts.units) },
    }),
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

/** Either time may be null. */
const laterOf = (column: Column) =>
  orElse(larger(column, excluded(column)), orElse(column, excluded(column)));

const added = { hour: excluded(checks.hour), count: excluded(checks.count) };
const isNewHour = gt(added.hour, checks.hour);

/** Returns a count if the given hour is this many hours after the stored one; else 0. */
const ifHoursLater = (hours: number, count: SQLWrapper) =>
  iif(eq(added.hour, plus(checks.hour, constant(hours))), count, constant(0));

/**
 * Returns the statements that add checks by entity and hour. A new hour moves the count to the previous one, to which
 * checks that arrive an hour late are added.
 */
export const recordChecks: (given: readonly Check[]) => Statement[] = overRows((given) =>
  query
    .insert(checks)
    .select(valuesOf(checks, given))
    .onConflictDoUpdate({
      target: primaryKeyOf(checks),
      set: {
        hour: larger(checks.hour, excluded(checks.hour)),
        count: iif(isNewHour, added.count, plus(checks.count, ifHoursLater(0, added.count))),
        previous: iif(
          isNewHour,
          ifHoursLater(1, checks.count),
          plus(checks.previous, ifHoursLater(-1, added.count)),
        ),
        lastTrue: laterOf(checks.lastTrue),
        lastFalse: laterOf(checks.lastFalse),
      },
    }),
);
