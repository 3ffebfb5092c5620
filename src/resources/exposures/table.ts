import { sql } from 'drizzle-orm';
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Database } from '../../store/database.ts';
import { overRows, valuesOf } from '../../store/rows.ts';
import { compile, query, type Statement } from '../../store/statement.ts';
import { guard } from '../../store/tables.ts';

/** Which units were seen in which group, each once; `start` keeps the runs of one experiment apart. */
export const exposures = sqliteTable(
  'exposures',
  {
    kind: text().notNull(),
    id: text().notNull(),
    /** When the run, or what the group is drawn by, began; epoch milliseconds. */
    start: integer().notNull(),
    unitType: text().notNull(),
    unit: text().notNull(),
    group: text().notNull(),
    /** When the unit was first seen there, by the clock of who saw it; epoch milliseconds. */
    firstTime: integer().notNull(),
    /** A number of 10,000 that has nothing to do with the assignment. */
    draw: integer().notNull(),
    /** The fields of the user that the entity asks for, and no others. */
    attributes: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.kind, table.id, table.start, table.unitType, table.unit, table.group],
    }),
    check('exposures_json', sql`json_valid(attributes)`),
  ],
);

/** How many units were seen in each group. */
export const exposureCounts = sqliteTable(
  'exposure_counts',
  {
    kind: text().notNull(),
    id: text().notNull(),
    start: integer().notNull(),
    group: text().notNull(),
    units: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id, table.start, table.group] })],
);

/** How often each entity was asked for, hour by hour, and when it last passed and failed. */
export const checks = sqliteTable(
  'checks',
  {
    kind: text().notNull(),
    id: text().notNull(),
    /** Hours since 1970, of which `count` is. */
    hour: integer().notNull(),
    count: integer().notNull(),
    /** The count of the hour before. */
    previous: integer().notNull(),
    /** Epoch milliseconds; null for never. */
    lastTrue: integer(),
    lastFalse: integer(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id] })],
);

export type Exposure = typeof exposures.$inferInsert;
export type Check = typeof checks.$inferInsert;

/** What an exposure is known by, in the names of a given row. */
const same = ['kind', 'id', 'start', 'unitType', 'unit', 'group']
  .map((name) => `seen."${name}" = value->>'${name}'`)
  .join(' and ');

const count = overRows((given) =>
  query
    .insert(exposureCounts)
    .select(
      sql`select value->>'kind', value->>'id', value->>'start', value->>'group', count(*) as units
        from ${given} where not exists (select 1 from ${exposures} as seen where ${sql.raw(same)})
        group by 1, 2, 3, 4`,
    )
    .onConflictDoUpdate({
      target: [exposureCounts.kind, exposureCounts.id, exposureCounts.start, exposureCounts.group],
      set: { units: sql`units + excluded.units` },
    }),
);

const record = overRows((given) =>
  query
    .insert(exposures)
    .select(sql`${valuesOf(exposures, given)} where true`)
    .onConflictDoUpdate({
      target: [
        exposures.kind,
        exposures.id,
        exposures.start,
        exposures.unitType,
        exposures.unit,
        exposures.group,
      ],
      set: { firstTime: sql`excluded.firstTime`, attributes: sql`excluded.attributes` },
      setWhere: sql`excluded.firstTime < ${exposures.firstTime}`,
    }),
);

/** What an exposure is known by, as a text. */
export const keyOf = ({ kind, id, start, unitType, unit, group }: Exposure): string =>
  JSON.stringify([kind, id, start, unitType, unit, group]);

/** The earliest exposure of each that is one. */
function distinct(given: readonly Exposure[]): Exposure[] {
  const latestFirst = [...given].sort((a, b) => b.firstTime - a.firstTime);
  return [...new Map(latestFirst.map((exposure) => [keyOf(exposure), exposure])).values()];
}

/** The statements that record exposures: each unit counts once in a group, and the earliest time of it is kept. */
export function recordExposures(given: readonly Exposure[]): Statement[] {
  const rows = distinct(given);
  return [...count(rows), ...record(rows)];
}

const latest = (column: string) =>
  sql.raw(`nullif(max(coalesce(checks.${column}, 0), coalesce(excluded.${column}, 0)), 0)`);

/** Adds to the hour that runs; a new one puts it aside, and what comes late counts for the hour before. */
const addChecks = overRows((given) =>
  query
    .insert(checks)
    .select(sql`${valuesOf(checks, given)} where true`)
    .onConflictDoUpdate({
      target: [checks.kind, checks.id],
      set: {
        hour: sql`max(checks.hour, excluded.hour)`,
        count: sql`case when excluded.hour > checks.hour then excluded.count
          when excluded.hour = checks.hour then checks.count + excluded.count else checks.count end`,
        previous: sql`case when excluded.hour = checks.hour then checks.previous
          when excluded.hour = checks.hour + 1 then checks.count
          when excluded.hour > checks.hour then 0
          when excluded.hour = checks.hour - 1 then checks.previous + excluded.count
          else checks.previous end`,
        lastTrue: latest('lastTrue'),
        lastFalse: latest('lastFalse'),
      },
    }),
);

/** The statements that add up checks: one row for each entity and hour. */
export const recordChecks = (given: readonly Check[]): Statement[] => addChecks(given);

/** What SDKs have delivered, so that what they send again has no effect; kept for a day at least. */
export const deliveries = sqliteTable(
  'deliveries',
  {
    /** Days since 1970. */
    day: integer().notNull(),
    /** SHA-256 of the key and the body. */
    hash: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.hash] })],
);

const dayOf = (now: number) => Math.floor(now / (24 * 60 * 60 * 1000));

const [day, hash] = [sql.placeholder('day'), sql.placeholder('hash')];

const refuseKnown = compile(
  query
    .insert(guard)
    .select(sql`select 'stale' from ${deliveries} where day = ${day} - 1 and hash = ${hash}`),
);

const remember = compile(query.insert(deliveries).values({ day, hash }));

/** The statements that fail, as a conflict, where the same was delivered within a day. `now` in epoch milliseconds. */
export const deliverOnce = (hash: string, now: number): Statement[] => [
  refuseKnown({ day: dayOf(now), hash }),
  remember({ day: dayOf(now), hash }),
];

const purge = compile(query.delete(deliveries).where(sql`day < ${day} - 1`));

/** Forgets deliveries of the days before yesterday. */
export async function purgeDeliveries(db: Database, now: number): Promise<void> {
  await db.batch(purge({ day: dayOf(now) }));
}
