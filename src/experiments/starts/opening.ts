import { sql } from 'drizzle-orm';
import { insertRows, overRows } from '../../platform/store/sql/rows.ts';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';
import { analyses, type Start } from './table.ts';

/** Returns the statements that open analyses; an existing analysis keeps the design of its start. */
export const openAnalyses: (rows: readonly Start[]) => Statement[] = overRows((given) =>
  statement(sql`${insertRows(analyses, given)} on conflict do nothing`),
);
