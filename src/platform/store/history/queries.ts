import { and, desc, eq, gt, max, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { compileQuery, query, statement } from '../sql/statement.ts';
import { revisions } from '../sql/tables.ts';

export const history = and(
  eq(revisions.kind, sql.placeholder('kind')),
  eq(revisions.id, sql.placeholder('id')),
);

export const oneVersion = and(history, eq(revisions.version, sql.placeholder('version')));

/** For a removal, and for the old ID of a rename, the snapshot is the state before it. */
export const isRemoval = sql<boolean>`${revisions.snapshot}->>'version' <> ${revisions.version}`;

const isGone = isRemoval.as<number>('isGone');

const next = alias(revisions, 'next');

/** Whether a later version of the same entity exists. */
export const goesOn = query
  .select({ version: next.version })
  .from(next)
  .where(
    and(
      eq(next.id, revisions.id),
      eq(next.kind, revisions.kind),
      eq(next.version, sql`${revisions.version} + 1`),
    ),
  );

/** The last rename away from an ID after a version. */
export const renameOf = compileQuery(
  query
    .select({ version: revisions.version, changes: revisions.changes })
    .from(revisions)
    .where(
      and(
        history,
        eq(revisions.action, 'rename'),
        gt(revisions.version, sql.placeholder('since')),
        isRemoval,
      ),
    )
    .orderBy(desc(revisions.version))
    .limit(1),
);

export const newestOf = compileQuery(
  query
    .select({ version: revisions.version, isGone })
    .from(revisions)
    .where(history)
    .orderBy(desc(revisions.version))
    .limit(1),
);

const stateBefore = sql<string | null>`iif(${isRemoval}, ${revisions.snapshot}, null)`.as('before');

/** The newest revision of an ID, with the state before it as JSON if it removed the entity. */
export const lastOf = compileQuery(
  query
    .select({ version: revisions.version, before: stateBefore })
    .from(revisions)
    .where(history)
    .orderBy(desc(revisions.version))
    .limit(1),
);

/** The newest revision of each given ID, regardless of the length of its history. */
export const newestOfEach = statement<{ id: string; version: number; isGone: number }>(sql`
  select revisions.id, version, snapshot->>'version' <> version as isGone
  from json_each(${sql.placeholder('ids')}) as given cross join revisions
  where kind = ${sql.placeholder('kind')} and revisions.id = given.value
    and version = (
      select max(earlier.version) from revisions as earlier
      where earlier.kind = ${sql.placeholder('kind')} and earlier.id = given.value)`);

export const snapshotOf = compileQuery(
  query.select({ snapshot: revisions.snapshot }).from(revisions).where(oneVersion),
);

export const countOf = compileQuery(
  query
    .select({ count: max(revisions.nthOfKind).as('count') })
    .from(revisions)
    .where(eq(revisions.kind, sql.placeholder('kind'))),
);

export const newestRevision = compileQuery(
  query.select({ seq: revisions.seq }).from(revisions).orderBy(desc(revisions.seq)).limit(1),
);
