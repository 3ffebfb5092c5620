import { withSessions } from './sessions.ts';

/** A failure of a batch: before or after the commit, or at one of its statements. */
export type Fault =
  | 'lost before commit'
  | 'lost after commit'
  | 'overloaded'
  | { statement: number };

/** Returns the failure of a batch, by its index and its number of statements. */
type Plan = (batch: number, statements: number) => Fault | undefined;

const lost = () => new Error('D1_ERROR: Network connection lost.');

/** Replaces `batch` of a session. */
type Batch = <T>(
  session: D1DatabaseSession,
  statements: D1PreparedStatement[],
) => Promise<D1Result<T>[]>;

/** Returns a D1 binding with replaced batches of its sessions. */
export const withBatches = (real: D1Database, batch: Batch): D1Database =>
  withSessions(real, (session) => ({
    prepare: (query) => session.prepare(query),
    getBookmark: () => session.getBookmark(),
    batch: (statements) => batch(session, statements),
  }));

/** Returns a D1 binding that fails by a plan. */
export function failingDatabase(real: D1Database, plan: Plan): D1Database {
  let batches = 0;
  return withBatches(real, async (session, statements) => {
    const fault = plan(batches++, statements.length);
    if (fault === 'lost before commit') throw lost();
    if (fault === 'overloaded')
      throw new Error('D1_ERROR: D1 DB is overloaded. Too many requests queued.');
    if (typeof fault === 'object')
      statements.splice(fault.statement, 0, session.prepare("select json('x')"));
    const results = await session.batch<never>(statements);
    if (fault === 'lost after commit') throw lost();
    return results;
  });
}
