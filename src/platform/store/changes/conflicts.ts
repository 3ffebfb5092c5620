import { sql } from 'drizzle-orm';
import { failing } from '../sql/expressions.ts';
import { statement } from '../sql/statement.ts';

/** Fails the batch if a kind has more revisions than when it was read. */
export const refuseStale = statement(sql`
  select ${failing(sql`'conflict'`)} from revisions
  where kind = ${sql.placeholder('kind')} and nthOfKind > ${sql.placeholder('count')}`);
