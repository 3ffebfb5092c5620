import { type SQL, sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import type { Statement } from './statement.ts';

/** A statement for SQLite's own tables, which Drizzle's builder cannot write. */
const own = (sql: string): Statement => ({ sql, params: [], decode: (row) => row });

const isColumn = "select name from pragma_table_info('sqlite_stat1') limit 1";

const found = own(isColumn);

export const hasStatistics: SQL = sql`exists (${sql.raw(isColumn)})`;

/** A connection keeps the statistics until it reads the schema again, which an altered table causes. */
const removal = [
  'drop table if exists sqlite_stat1',
  'create table altered (a)',
  'alter table altered add b',
  'drop table altered',
].map(own);

/** Deletes the statistics of `ANALYZE` and `PRAGMA optimize`: with them, SQLite scans lists in the requested order. */
export async function dropStatistics(db: Database): Promise<void> {
  const [[column]] = await db.batch(found);
  if (column !== undefined) await db.batch(...removal);
}
