import { type SQL, sql } from 'drizzle-orm';
import { always } from '../sql/expressions.ts';
import { query } from '../sql/statement.ts';
import { type RowNumber, revisions } from '../sql/tables.ts';

/** Rows of the log that are numbered without gaps: all rows, or those with one kind, action or actor. */
export interface Numbered {
  number: (typeof revisions)[RowNumber | 'version'];
  alike?: SQL | undefined;
}

export const all: Numbered = { number: revisions.seq };

/** Returns the number after the last row. */
export const endOfNumbers = ({ number, alike }: Numbered) =>
  query
    .select({ end: sql<number>`coalesce(max(${number}), 0) + 1`.as('end') })
    .from(revisions)
    .where(alike);

/** Finds the first number at or after a time by bisection: times never decrease, so no index is needed. */
export const firstSince = (time: number, { number, alike = always }: Numbered) => sql<number>`(
  with recursive halving (low, high) as (
    select 1, ${endOfNumbers({ number, alike })} union all
    select iif(time < ${time}, (low + high) / 2 + 1, low), iif(time < ${time}, high, (low + high) / 2)
    from halving cross join ${revisions} on ${number} = (low + high) / 2 and ${alike} where low < high)
  select low from halving where low = high)`;
