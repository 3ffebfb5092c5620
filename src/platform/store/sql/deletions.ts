import type { Database } from './database.ts';
import type { Statement } from './statement.ts';

/** The most rows that one statement of a purge deletes: D1 ends a statement after 30 s. */
export const maxDeleted = 5000;

/** The most statements of a purge in one run of the scheduler; the next run continues. */
const maxPieces = 10;

/** Runs statements that each delete at most `maxDeleted` rows, and repeats them while they delete that many. */
export async function deleteInPieces(db: Database, ...deletions: Statement[]): Promise<void> {
  let unfinished = deletions;
  for (let piece = 0; piece < maxPieces && unfinished.length > 0; piece++) {
    const deleted = await db.change(...unfinished);
    unfinished = unfinished.filter((_, index) => deleted[index] === maxDeleted);
  }
}
