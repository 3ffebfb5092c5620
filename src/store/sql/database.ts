import { Problem } from '../../problem.ts';
import type { Statement } from './statement.ts';

/** How often one request asks the database at most: D1 answers a thousand queries of one, and then no more. */
export const mostTrips = 900;

/** What one request cost the database. */
export interface Meter {
  trips: number;
  rowsRead: number;
  rowsWritten: number;
  milliseconds: number;
}

/** The statements of one batch, each typed by the rows it answers. */
export type Statements<Rows extends unknown[]> = { [K in keyof Rows]: Statement<Rows[K]> };

/** What the statements of one batch answer. */
export type Answers<Rows extends unknown[]> = { [K in keyof Rows]: Rows[K][] };

/** One request's way to D1: every statement goes through `batch`, and is counted there. */
export interface Database {
  /** Runs the statements in one round trip and one transaction: all or nothing. Answers the rows of each. */
  batch<Rows extends unknown[]>(...statements: Statements<Rows>): Promise<Answers<Rows>>;
  /** Reads; everything that is asked for in one turn of the event loop goes as one batch. */
  read<Rows extends unknown[]>(...statements: Statements<Rows>): Promise<Answers<Rows>>;
  readonly meter: Meter;
  /** The state this request has seen, for a later request that must see at least as much. */
  bookmark(): string | null;
}

type Results = unknown[][];

/**
 * Joins what is asked for before `later` runs what it is given into one batch: by `queueMicrotask`, what is asked for in
 * one turn of the event loop.
 */
function joined(
  batch: (statements: Statement[]) => Promise<Results>,
  later: (send: () => Promise<void>) => void,
) {
  type Asked = PromiseWithResolvers<Results> & { statements: Statement[] };
  let asked: Asked[] = [];
  const send = async () => {
    const together = asked;
    asked = [];
    try {
      const results = await batch(together.flatMap(({ statements }) => statements));
      for (const { statements, resolve } of together) resolve(results.splice(0, statements.length));
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  };
  return (statements: Statement[]): Promise<Results> => {
    const own = { ...Promise.withResolvers<Results>(), statements };
    if (asked.push(own) === 1) later(send);
    return own.promise;
  };
}

/**
 * Opens a session of D1.
 * @param start a bookmark of an earlier answer, `first-primary` or `first-unconstrained`
 * @param meter where its cost is added up; that of another session, if a request opens several
 * @throws Problem 503 where the deployment has none
 */
export function openDatabase(
  d1: D1Database | undefined,
  start: string,
  meter: Meter = { trips: 0, rowsRead: 0, rowsWritten: 0, milliseconds: 0 },
): Database {
  if (!d1)
    throw new Problem(
      'incomplete',
      'No database is bound: name one as DB in wrangler.toml, and deploy that: npm run deploy.',
    );
  const session = d1.withSession(start);
  const send = async (statements: Statement[]): Promise<Results> => {
    meter.trips += 1;
    const results = await session.batch<Record<string, unknown>>(
      statements.map(({ sql, params }) => session.prepare(sql).bind(...params)),
    );
    for (const { meta } of results) {
      meter.rowsRead += meta.rows_read;
      meter.rowsWritten += meta.rows_written;
      meter.milliseconds += meta.duration;
    }
    return results.map((result, index) =>
      result.results.map((row) => statements[index]?.decode(row)),
    );
  };
  return {
    meter,
    bookmark: () => session.getBookmark(),
    async batch<Rows extends unknown[]>(...statements: Statements<Rows>) {
      return (await send(statements)) as Answers<Rows>;
    },
    read: reader(joined(send, queueMicrotask)),
  };
}

/** Reads by what answers the statements of any number of questions. */
const reader =
  (ask: (statements: Statement[]) => Promise<Results>): Database['read'] =>
  async <Rows extends unknown[]>(...statements: Statements<Rows>) =>
    (await ask(statements)) as Answers<Rows>;

/** The same database, which reads in one round trip what any work asks for until all of it waits for an answer. */
export const readingTogether = (db: Database): Database => ({
  ...db,
  read: reader(joined((statements) => db.read(...statements), setTimeout)),
});

/** What was asked, as SQL with its parameters, and what was answered. */
export type Answered = Map<string, Promise<Results>>;

/** The same database, which asks nothing again that was answered. */
export const askingOnce = (db: Database, answered: Answered): Database => ({
  ...db,
  read: reader((statements) => {
    const question = JSON.stringify(statements.map(({ sql, params }) => [sql, params]));
    const answer = answered.get(question) ?? db.read(...statements);
    answered.set(question, answer);
    return answer;
  }),
});

/** What the statements of a batch fail with, and triggers raise: `console: circle …`. */
const failures = [
  'conflict',
  'circle',
  'unregistered',
  'taken',
  'unknown reference',
  'in use',
  'dry run',
] as const;

/** What a failed batch means for the change it carried. */
type Failure = (typeof failures)[number] | 'lost' | 'other';

/** Whether an error is that the database lacks what a migration makes. */
export const isUnmigrated = (error: unknown): boolean =>
  /no such (table|column)|has no column named/i.test(String(error));

/** D1 answers these when the batch may or may not have been committed. */
const lost =
  /network connection lost|object to be reset|code was updated|timed? ?out|internal error|transient issue/i;

/** Reads a failure off D1's message: it may say a name, so what it says first counts. */
export function classify(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const [, said] = message.match(/console: ([a-z ]+)/) ?? [];
  const known = failures.find((failure) => said?.startsWith(failure));
  if (known) return known;
  if (/UNIQUE constraint failed/i.test(message)) return 'conflict';
  return lost.test(message) ? 'lost' : 'other';
}
