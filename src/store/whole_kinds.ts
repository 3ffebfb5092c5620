import { asc, gt } from 'drizzle-orm';
import type { Entity } from './columns.ts';
import type { Database } from './database.ts';
import { once, query } from './statement.ts';
import { fromRow } from './stored.ts';
import type { Kind } from './terms.ts';

/** How many entities are read at a time. */
const pageSize = 500;

/** All entities of a kind, in the order of their ids, page by page. */
export async function* pagesOf(db: Database, kind: Kind<Entity>) {
  const { table } = kind;
  const after = (id: string) =>
    query.select().from(table).where(gt(table.id, id)).orderBy(asc(table.id)).limit(pageSize);
  let last: Entity | undefined;
  do {
    const [rows] = await db.batch(once(after(last?.id ?? '')));
    const page = rows.map((row) => fromRow(kind, row));
    yield page;
    last = page.at(pageSize - 1);
  } while (last);
}
