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
import { type Check, checks, type Exposure, exposureCounts, exposures, leftOut } from './table.ts';

const keyNames = primaryKeyOf(exposures).map(({ name }) => name);

const seen = alias(exposures, 'seen');

const isSeen = exists(
  query
    .select({ unit: seen.unit })
    .from(seen)
    .where(and(...keyNames.map((name) => eq(columnOf(seen, name), property(name))))),
);

const counted = overRows((given) =>
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
        .where(not(isSeen))
        .groupBy(property('kind'), property('id'), property('start'), property('group')),
    )
    .onConflictDoUpdate({
      target: primaryKeyOf(exposureCounts),
      set: { units: grown(exposureCounts.units) },
    }),
);

const record = overRows((given) =>
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
export const keyOf = ({ kind, id, start, unitType, unit, group }: Exposure): string =>
  JSON.stringify([kind, id, start, unitType, unit, group]);

/** Keeps the earliest exposure for each key. */
function distinct(given: readonly Exposure[]): Exposure[] {
  const latestFirst = given.toSorted((a, b) => b.firstTime - a.firstTime);
  return lastOfEach(latestFirst, keyOf);
}

/** Returns the statements that record exposures: each unit counts once in a group, and its earliest time is kept. */
export function recordExposures(given: readonly Exposure[]): Statement[] {
  const rows = distinct(given);
  return [...counted(rows), ...record(rows)];
}

const addLeftOut = overRows((given) =>
  query
    .insert(exposureCounts)
    .select(valuesOf(exposureCounts, given))
    .onConflictDoUpdate({
      target: primaryKeyOf(exposureCounts),
      set: { units: grown(exposureCounts.units) },
    }),
);

/** Returns the statements that count rejected reports, in one row for each run of an entity. */
export function recordLeftOut(given: readonly Exposure[]): Statement[] {
  const rows = new Map<string, typeof exposureCounts.$inferInsert>();
  for (const { kind, id, start } of given) {
    const key = JSON.stringify([kind, id, start]);
    const units = (rows.get(key)?.units ?? 0) + 1;
    rows.set(key, { kind, id, start, group: leftOut, units });
  }
  return addLeftOut([...rows.values()]);
}

/** The later of two times; each may be null. */
const latest = (column: Column) =>
  orElse(larger(column, excluded(column)), orElse(column, excluded(column)));

const ofGiven = { hour: excluded(checks.hour), count: excluded(checks.count) };
const isLater = gt(ofGiven.hour, checks.hour);

/** A count if the given hour is so many hours after the counted one; else 0. */
const ifHoursLater = (hours: number, count: SQLWrapper) =>
  iif(eq(ofGiven.hour, plus(checks.hour, constant(hours))), count, constant(0));

/**
 * Returns the statements that add checks to the current hour of each entity. The first checks of a new hour move the
 * count to `previous`; checks that are an hour late are added to `previous`.
 */
export const recordChecks: (given: readonly Check[]) => Statement[] = overRows((given) =>
  query
    .insert(checks)
    .select(valuesOf(checks, given))
    .onConflictDoUpdate({
      target: primaryKeyOf(checks),
      set: {
        hour: larger(checks.hour, excluded(checks.hour)),
        count: iif(isLater, ofGiven.count, plus(checks.count, ifHoursLater(0, ofGiven.count))),
        previous: iif(
          isLater,
          ifHoursLater(1, checks.count),
          plus(checks.previous, ifHoursLater(-1, ofGiven.count)),
        ),
        lastTrue: latest(checks.lastTrue),
        lastFalse: latest(checks.lastFalse),
      },
    }),
);
