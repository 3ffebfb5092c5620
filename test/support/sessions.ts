/** Wraps a session; `start` is the constraint or bookmark it was opened with. */
type Wrap = (session: D1DatabaseSession, start: string | undefined) => D1DatabaseSession;

/** Returns a D1 binding with wrapped sessions; the service uses only sessions. */
export const withSessions = (real: D1Database, wrap: Wrap): D1Database => ({
  prepare: (query) => real.prepare(query),
  batch: (statements) => real.batch(statements),
  exec: (query) => real.exec(query),
  dump: () => real.dump(),
  withSession: (start) => wrap(real.withSession(start), start),
});
