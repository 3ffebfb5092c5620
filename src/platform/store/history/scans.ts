import {
  and,
  asc,
  eq,
  getTableColumns,
  gt,
  inArray,
  lte,
  max,
  not,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import { fromRow } from '../entities/mapping.ts';
import type { Database } from '../sql/database.ts';
import { unindexed, valuesIn } from '../sql/expressions.ts';
import { compileQuery, once, query } from '../sql/statement.ts';
import { revisions } from '../sql/tables.ts';
import { ownColumns } from './list.ts';
import { isRemoval } from './queries.ts';

/** D1 and an isolate hold a page several times in 128 MB. A request may send D1 1,000 queries, so pages are large. */
const page = { bytes: 4_000_000, rows: 2000 };

function nextRows(table: SQLiteTable, key: SQLiteColumn, after: string | number, where?: SQL): SQL {
  // SQLite stores lengths separately, so that no long value is read.
  const sizes = Object.values(getTableColumns(table)).map(
    (column) => sql`coalesce(octet_length(${column}), 0)`,
  );
  return sql`${key} in (
    select key from (
      select ${key} as key, total(${sql.join(sizes, sql` + `)}) over (
        order by ${key} rows between unbounded preceding and 1 preceding) as before
      from ${table} where ${and(gt(key, after), where)} order by ${key} limit ${page.rows})
    where before < ${page.bytes})`;
}

const entitiesAfter = ({ table }: Kind<Entity>, id: string) =>
  once(
    query
      .select()
      .from(table)
      .where(nextRows(table, table.id, id))
      .orderBy(asc(table.id)),
  );

/** Iterates over all entities of a kind in the order of their IDs, page by page. */
export async function* pagesOf(db: Database, kind: Kind<Entity>) {
  for (let last = ''; ; ) {
    const [rows] = await db.batch(entitiesAfter(kind, last));
    if (rows.length === 0) return;
    const entities = rows.map((row) => fromRow(kind, row));
    yield entities;
    last = entities.at(-1)?.id ?? last;
  }
}

/** Iterates over matching revisions, oldest first, page by page. */
export async function* historyPagesOf(db: Database, where: SQL | undefined) {
  for (let last = 0; ; ) {
    const rows = query
      .select(ownColumns)
      .from(revisions)
      .where(nextRows(revisions, revisions.seq, last, where))
      .orderBy(asc(revisions.seq));
    const [page] = await db.batch(once(rows));
    if (page.length === 0) return;
    yield page;
    last = page.at(-1)?.seq ?? last;
  }
}

/** By `seq`, because the index of kinds would lead to all revisions of the kind. */
const changedAfter = compileQuery(
  query
    .select({ id: revisions.id })
    .from(revisions)
    .where(
      and(
        eq(unindexed(revisions.kind), sql.placeholder('kind')),
        gt(revisions.seq, sql.placeholder('seq')),
      ),
    ),
);

/** Defaults of columns that an older state lacks. */
const unset = ({ table }: Kind<Entity>): object =>
  Object.fromEntries(
    Object.values(getTableColumns(table))
      .filter(({ notNull, hasDefault }) => !notNull || hasDefault)
      .map((column) => [column.name, column.default ?? null]),
  );

/** Iterates over the states that some IDs had at a `seq`, read from history; IDs without a state are left out. */
async function* earlierPagesOf(db: Database, kind: Kind<Entity>, seq: number, ids: string[]) {
  if (ids.length === 0) return;
  const ofThem = inArray(revisions.id, valuesIn(JSON.stringify(ids)));
  const newest = query
    .select({ seq: max(revisions.seq) })
    .from(revisions)
    .where(and(eq(revisions.kind, kind.kind), ofThem, lte(revisions.seq, seq)))
    .groupBy(revisions.id);
  for await (const page of historyPagesOf(db, and(inArray(revisions.seq, newest), not(isRemoval))))
    yield page.map(({ snapshot }) => fromRow(kind, { ...unset(kind), ...snapshot }));
}

/** Iterates over all entities of a kind as of a `seq`. Entities that change meanwhile are read from history. */
export async function* pagesAt(db: Database, kind: Kind<Entity>, seq: number) {
  const read = new Set<string>();
  for (let last = ''; ; ) {
    const [rows, later] = await db.batch(
      entitiesAfter(kind, last),
      changedAfter({ kind: kind.kind, seq }),
    );
    const changed = new Set(later.map(({ id }) => id));
    if (rows.length === 0)
      return yield* earlierPagesOf(db, kind, seq, [...changed.difference(read)]);
    const entities = rows.map((row) => fromRow(kind, row)).filter(({ id }) => !changed.has(id));
    for (const { id } of entities) read.add(id);
    yield entities;
    last = rows.at(-1)?.id ?? last;
  }
}
