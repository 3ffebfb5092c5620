/** What stands in the place of a session of the database, which began where it was asked to. */
type Over = (session: D1DatabaseSession, start: string | undefined) => D1DatabaseSession;

/** A D1 binding that is the real one but for its sessions, through which the service sends all it sends. */
export const withSessions = (real: D1Database, over: Over): D1Database => ({
  prepare: (query) => real.prepare(query),
  batch: (statements) => real.batch(statements),
  exec: (query) => real.exec(query),
  dump: () => real.dump(),
  withSession: (start) => over(real.withSession(start), start),
});
