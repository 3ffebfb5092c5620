import { and, asc, getTableColumns, gt, inArray, lt, type SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Entity } from './columns.ts';
import type { Database } from './database.ts';
import { bytesOf, totalBefore } from './sqlite.ts';
import { once, query } from './statement.ts';
import { fromRow } from './stored.ts';
import type { Kind } from './terms.ts';

/**
 * How much is read at a time: D1 and an isolate hold a page several times over in their 128 MB, and few pages are many
 * rows, as one request may ask D1 no more than a thousand times.
 */
const page = { bytes: 4_000_000, rows: 2000 };

/** The rows behind a key, in its order, that are read at a time: up to a size, and one whatever its size. */
export function nextRows(
  table: SQLiteTable,
  key: SQLiteColumn,
  after: string | number,
  where?: SQL,
): SQL {
  const bytes = bytesOf(Object.values(getTableColumns(table)));
  const sized = query
    .select({ key, before: totalBefore(bytes, key).as('before') })
    .from(table)
    .where(and(gt(key, after), where))
    .orderBy(asc(key))
    .limit(page.rows)
    .as('sized');
  return inArray(
    key,
    query.select({ key: sized.key }).from(sized).where(lt(sized.before, page.bytes)),
  );
}

/** All entities of a kind, in the order of their ids, page by page. */
export async function* pagesOf(db: Database, kind: Kind<Entity>) {
  const { table } = kind;
  const after = (id: string) =>
    query
      .select()
      .from(table)
      .where(nextRows(table, table.id, id))
      .orderBy(asc(table.id));
  for (let last = ''; ; ) {
    const [rows] = await db.batch(once(after(last)));
    if (rows.length === 0) return;
    const entities = rows.map((row) => fromRow(kind, row));
    yield entities;
    last = entities.at(-1)?.id ?? last;
  }
}
