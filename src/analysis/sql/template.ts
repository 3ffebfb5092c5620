import type { SQL } from 'drizzle-orm';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import type { Statement } from '../../store/sql/statement.ts';

const dialect = new SQLiteAsyncDialect();

/** Returns the statement of handwritten SQL. Each value is bound once: D1 accepts at most 100 parameters. */
export function statementOf<Row>(
  written: SQL,
  decode: (row: Record<string, unknown>) => Row,
): Statement<Row> {
  const { sql, params } = dialect.sqlToQuery(written);
  const distinct = [...new Set(params)];
  let at = 0;
  const text = sql.replaceAll('?', () => `?${distinct.indexOf(params[at++]) + 1}`);
  return { sql: text, params: distinct, decode };
}
