import type { Database } from './database.ts';
import type { Statement } from './statement.ts';

/** The most rows that one statement of a purge deletes: D1 ends a statement after 30 s. */
export const mostDeleted = 5000;

/** The most statements of a purge in one run of the scheduler; the next run continues. */
const mostPieces = 10;

/** Returns the number of rows that the previous statement deleted, without reading a table. */
const deleted: Statement<number> = {
  sql: 'select changes() as deleted',
  params: [],
  decode: ({ deleted }) => Number(deleted),
};

/** Runs statements that each delete at most `mostDeleted` rows, and repeats them while they delete that many. */
export async function deleteInPieces(db: Database, ...deletions: Statement[]): Promise<void> {
  let unfinished = deletions;
  for (let piece = 0; piece < mostPieces && unfinished.length > 0; piece++) {
    const results = await db.batch(...unfinished.flatMap((deletion) => [deletion, deleted]));
    unfinished = unfinished.filter((_, index) => results[2 * index + 1]?.[0] === mostDeleted);
  }
}
