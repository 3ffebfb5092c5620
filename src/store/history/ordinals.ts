import { max, type SQL, sql } from 'drizzle-orm';
import { always, constant, orElse, plus } from '../sql/expressions.ts';
import { query } from '../sql/statement.ts';
import { type RowNumber, revisions } from '../sql/tables.ts';

/** Rows of the log that are numbered without gaps: all of them, or those alike in one respect. */
export interface Numbered {
  number: (typeof revisions)[RowNumber | 'version'];
  /** The rows that are numbered; all where absent. */
  alike?: SQL | undefined;
}

/** All rows of the log. */
export const all: Numbered = { number: revisions.seq };

/** The number after the last. */
export const endOf = ({ number, alike }: Numbered) =>
  query
    .select({ end: plus(orElse(max(number), constant(0)), constant(1)).as('end') })
    .from(revisions)
    .where(alike);

/**
 * The first number at or after a time, found by halving: times never fall, so that no index is needed for them.
 * Drizzle's builder has no recursion.
 */
export const firstSince = (time: number, { number, alike = always }: Numbered) => sql<number>`(
  with recursive halving (low, high) as (
    select 1, ${endOf({ number, alike })} union all
    select iif(time < ${time}, (low + high) / 2 + 1, low), iif(time < ${time}, high, (low + high) / 2)
    from halving cross join ${revisions} on ${number} = (low + high) / 2 and ${alike} where low < high)
  select low from halving where low = high)`;
