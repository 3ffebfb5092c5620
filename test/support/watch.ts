import { withSessions } from './sessions.ts';

/** A sent statement and its cost. */
export interface Sent {
  sql: string;
  params: unknown[];
  read: number;
  written: number;
}

/** Returns a D1 binding that records the statements of its sessions, and how they start. */
export function recordingDatabase(real: D1Database) {
  const sent: Sent[] = [];
  const starts: (string | undefined)[] = [];
  const texts = new WeakMap<D1PreparedStatement, Pick<Sent, 'sql' | 'params'>>();
  const wrap = (session: D1DatabaseSession): D1DatabaseSession => ({
    getBookmark: () => session.getBookmark(),
    prepare(sql) {
      const statement = session.prepare(sql);
      const bind = statement.bind.bind(statement);
      statement.bind = (...params) => {
        const bound = bind(...params);
        texts.set(bound, { sql, params });
        return bound;
      };
      return statement;
    },
    async batch<T>(statements: D1PreparedStatement[]) {
      const results = await session.batch<T>(statements);
      results.forEach(({ meta }, index) => {
        const statement = statements[index];
        const text = statement && texts.get(statement);
        if (text) sent.push({ ...text, read: meta.rows_read, written: meta.rows_written });
      });
      return results;
    },
  });
  const DB = withSessions(real, (session, start) => {
    starts.push(start);
    return wrap(session);
  });
  return { DB, sent, starts };
}
