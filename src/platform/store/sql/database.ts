import { Buffer } from 'node:buffer';
import { Problem } from '../../../base/problem.ts';
import type { Statement } from './statement.ts';

/** The most round trips of one request. D1 accepts 1,000 queries in a request. */
export const maxTrips = 900;

/** The limits of one batch, in statements and in bytes of SQL and parameters. D1 documents none, but accepts these. */
export const batchLimits = { statements: 1000, bytes: 8_000_000 };

/** The 413 for a batch that exceeds `mostOfBatch` and was not sent. */
export class BatchTooLarge extends Problem {
  constructor() {
    const most = `${batchLimits.statements} statements and ${batchLimits.bytes / 1_000_000} MB`;
    super(
      'too_large',
      `The changes and their history are larger than the database accepts at once: ${most}. Nothing was stored. Change fewer entities at once.`,
    );
  }
}

const bytesOfNumber = 8;

function bytesOfStatement({ sql, params }: Statement): number {
  let bytes = Buffer.byteLength(sql);
  for (const param of params)
    bytes += typeof param === 'string' ? Buffer.byteLength(param) : bytesOfNumber;
  return bytes;
}

/** A single group may exceed the limits. */
function inBatches<Group extends { statements: Statement[] }>(groups: readonly Group[]): Group[][] {
  const batches: Group[][] = [[]];
  let room = { ...batchLimits };
  for (const group of groups) {
    const count = group.statements.length;
    const bytes = group.statements.reduce((sum, one) => sum + bytesOfStatement(one), 0);
    if (count > room.statements || bytes > room.bytes) {
      batches.push([]);
      room = { ...batchLimits };
    }
    batches.at(-1)?.push(group);
    room.statements -= count;
    room.bytes -= bytes;
  }
  return batches;
}

/** Splits statements into batches within the limits of D1. */
export const batchesOf = (statements: readonly Statement[]): Statement[][] =>
  inBatches(statements.map((one) => ({ statements: [one] }))).map((groups) =>
    groups.flatMap((group) => group.statements),
  );

export interface Meter {
  trips: number;
  rowsRead: number;
  rowsWritten: number;
  milliseconds: number;
}

export type Statements<Rows extends unknown[]> = { [K in keyof Rows]: Statement<Rows[K]> };

export type ResultRows<Rows extends unknown[]> = { [K in keyof Rows]: Rows[K][] };

/** A request's access to D1. Every statement passes through `batch`, which counts it. */
export interface Database {
  /** Runs the statements in one round trip and one transaction, all or nothing. Returns the rows of each. */
  batch<Rows extends unknown[]>(...statements: Statements<Rows>): Promise<ResultRows<Rows>>;
  /** Reads. All reads of one turn of the event loop share a round trip. */
  read<Rows extends unknown[]>(...statements: Statements<Rows>): Promise<ResultRows<Rows>>;
  /** Runs the statements like `batch`, and returns the number of rows that each changed, triggers included. */
  change(...statements: Statement[]): Promise<number[]>;
  readonly meter: Meter;
  /** The state that this request has seen, for a later request that must see at least as much. */
  bookmark(): string | null;
}

type QueryResults = unknown[][];

/** Joins the reads before `later` runs its callback into as few batches as D1 accepts. */
function joinReads(
  batch: (statements: Statement[]) => Promise<QueryResults>,
  later: (send: () => Promise<void>) => void,
) {
  type PendingRead = PromiseWithResolvers<QueryResults> & { statements: Statement[] };
  let pending: PendingRead[] = [];
  const sendOne = async (together: PendingRead[]) => {
    try {
      const results = await batch(together.flatMap(({ statements }) => statements));
      for (const { statements, resolve } of together) resolve(results.splice(0, statements.length));
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  };
  const send = async () => {
    const together = pending;
    pending = [];
    await Promise.all(
      inBatches(together)
        .filter((some) => some.length > 0)
        .map(sendOne),
    );
  };
  return (statements: Statement[]): Promise<QueryResults> => {
    const own = { ...Promise.withResolvers<QueryResults>(), statements };
    if (pending.push(own) === 1) later(send);
    return own.promise;
  };
}

/**
 * Opens a session of D1.
 * @param start a bookmark of an earlier response, `first-primary` or `first-unconstrained`
 * @param admit is called before each round trip, and throws to refuse it
 * @throws Problem 503 if the deployment has no database
 */
export function openDatabase(
  d1: D1Database | undefined,
  start: string,
  meter: Meter = { trips: 0, rowsRead: 0, rowsWritten: 0, milliseconds: 0 },
  admit: () => void = () => undefined,
): Database {
  if (!d1)
    throw new Problem(
      'incomplete',
      'No database is bound: name one as DB in wrangler.toml, and deploy that: npm run deploy.',
    );
  const session = d1.withSession(start);
  const run = async (statements: Statement[]) => {
    if (batchesOf(statements).length > 1) throw new BatchTooLarge();
    admit();
    meter.trips += 1;
    const results = await session.batch<Record<string, unknown>>(
      statements.map(({ sql, params }) => session.prepare(sql).bind(...params)),
    );
    for (const { meta } of results) {
      meter.rowsRead += meta.rows_read;
      meter.rowsWritten += meta.rows_written;
      meter.milliseconds += meta.duration;
    }
    return results;
  };
  const send = async (statements: Statement[]): Promise<QueryResults> => {
    const results = await run(statements);
    return results.map((result, index) =>
      result.results.map((row) => statements[index]?.decode(row)),
    );
  };
  return {
    meter,
    bookmark: () => session.getBookmark(),
    batch: reader(send),
    change: async (...statements) => (await run(statements)).map(({ meta }) => meta.changes),
    read: reader(joinReads(send, queueMicrotask)),
  };
}

const reader =
  (send: (statements: Statement[]) => Promise<QueryResults>): Database['read'] =>
  async <Rows extends unknown[]>(...statements: Statements<Rows>) =>
    (await send(statements)) as ResultRows<Rows>; // each result was decoded by its own statement

/** Returns the database with reads that wait until all pending work has requested its rows. */
export const readingTogether = (db: Database): Database => ({
  ...db,
  read: reader(joinReads((statements) => db.read(...statements), setTimeout)),
});

/** Executed reads by their SQL and parameters, with their results. */
export type ReadCache = Map<string, Promise<QueryResults>>;

/** Returns the database with reads that run at most once. */
export const readingOnce = (db: Database, cache: ReadCache): Database => ({
  ...db,
  read: reader((statements) => {
    const key = JSON.stringify(statements.map(({ sql, params }) => [sql, params]));
    const results = cache.get(key) ?? db.read(...statements);
    cache.set(key, results);
    return results;
  }),
});

/** Messages with which statements of a batch and triggers fail, such as `console: circle …`. */
const failures = [
  'conflict',
  'circle',
  'unregistered',
  'taken',
  'unknown reference',
  'in use',
  'dry run',
] as const;

type Failure = (typeof failures)[number] | 'lost' | 'other';

/** Whether an error means that a migration is missing. */
export const isUnmigrated = (error: unknown): boolean =>
  /no such (table|column)|has no column named/i.test(String(error));

/** Messages of D1 for batches that may or may not be committed. */
const lost =
  /network connection lost|object to be reset|code was updated|timed? ?out|internal error|transient issue/i;

/** Classifies a failure by D1's message. A message may contain a name, so its first match counts. */
export function classify(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const [, reason] = message.match(/console: ([a-z ]+)/) ?? [];
  const known = failures.find((failure) => reason?.startsWith(failure));
  if (known) return known;
  if (/UNIQUE constraint failed/i.test(message)) return 'conflict';
  return lost.test(message) ? 'lost' : 'other';
}
