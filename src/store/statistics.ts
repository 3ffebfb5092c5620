import type { Database } from './database.ts';
import type { Statement } from './statement.ts';

/** A statement that no builder of queries has, for the tables of SQLite itself. */
const own = (sql: string): Statement => ({ sql, params: [], decode: (row) => row });

const found = own("select name from pragma_table_info('sqlite_stat1') limit 1");

/** What a connection knows of them already stays until it reads them again, for which the table is needed, or made. */
const removal = [
  'delete from sqlite_stat1',
  'analyze sqlite_schema',
  'drop table sqlite_stat1',
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
