import type { Database } from './database.ts';
import type { Statement } from './statement.ts';

/** A statement that no builder of queries has, for the tables of SQLite itself. */
const own = (sql: string): Statement => ({ sql, params: [], decode: (row) => row });

const found = own("select name from pragma_table_info('sqlite_stat1') limit 1");

/**
 * A connection keeps what it knows of them, the sizes of tables too, until it reads the schema again: a table that is
 * altered has it do so. Who else takes them away meanwhile is in nobody's way.
 */
const removal = [
  'drop table if exists sqlite_stat1',
  'create table altered (a)',
  'alter table altered add b',
  'drop table altered',
].map(own);

/**
 * Takes away the statistics that `ANALYZE` and `PRAGMA optimize` gather. Lists name what narrows them, and leave it to
 * SQLite to find the index for that; with statistics, which do not know that a page is short, it goes through all
 * there is in the order that is asked for.
 */
export async function dropStatistics(db: Database): Promise<void> {
  const [[column]] = await db.batch(found);
  if (column !== undefined) await db.batch(...removal);
}
