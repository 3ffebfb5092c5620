import { and, eq, lte, sql } from 'drizzle-orm';
import type { Settles } from '../../http/settling.ts';
import { inTime } from '../../operations/clock.ts';
import { Problem } from '../../problem.ts';
import { hourLength } from '../../shared/durations.ts';
import { commit } from '../../store/commit.ts';
import { change } from '../../store/entities/entities.ts';
import type { Database } from '../../store/sql/database.ts';
import { unindexed } from '../../store/sql/expressions.ts';
import { compile, query } from '../../store/sql/statement.ts';
import { move } from './lifecycle.ts';
import { isDue } from './scheduled_start.ts';
import { experiments, experimentTable } from './table.ts';

/** How many experiments one run starts, the longest due first; the others wait for the next. */
const maxStarts = 100;

/** How many that are due are looked at: those that cannot start stay due. */
const mostDue = 1000;

/** How long requests leave alone one that could not start, in milliseconds: the cron trigger tries it each minute. */
const pause = hourLength;

/** When this isolate last tried to start those that could not. */
const refused = new Map<string, number>();

const dueIDs = () => query.select({ id: experimentTable.id }).from(experimentTable);

/** What waits for a time that has come, by the index of what is scheduled alone, in which there is little. */
const isPast = lte(experimentTable.scheduledStartTime, sql.placeholder('now'));
const isWaiting = eq(unindexed(experimentTable.status), 'setup');

const dueAt = compile(
  dueIDs().where(and(isPast, isWaiting)).orderBy(experimentTable.scheduledStartTime).limit(mostDue),
);
/** By its id: others that could not start, and stay due, are not read. */
const dueOne = compile(
  dueIDs().where(
    and(
      eq(experimentTable.id, sql.placeholder('id')),
      lte(unindexed(experimentTable.scheduledStartTime), sql.placeholder('now')),
      isWaiting,
    ),
  ),
);

/** Starts one whose time has come, unless another request has. */
async function start(db: Database, id: string, now: number): Promise<void> {
  const tx = inTime(db, now);
  await change(tx, experiments, id, { action: 'start', ifMatch: undefined }, (current) =>
    isDue(current, now) ? move(current, 'start', now) : current,
  );
  if (tx.changes.length === 0) return;
  const outcome = await commit(tx);
  if (outcome instanceof Problem) throw outcome;
}

const lastTried = (id: string) => refused.get(id) ?? 0;

/**
 * Starts some, those last that could not start, so that they hold up no others; answers whether any has started, by this
 * or by another request.
 */
async function startAll(db: Database, ids: string[], now: number): Promise<boolean> {
  let any = false;
  const inTurn = ids.toSorted((one, other) => lastTried(one) - lastTried(other));
  for (const id of inTurn.slice(0, maxStarts))
    try {
      await start(db, id, now);
      any = true;
      refused.delete(id);
    } catch (error) {
      refused.set(id, now);
      console.error(`The experiment ${id} was not started: ${error}`);
    }
  return any;
}

/** The experiments that are to have started; one that cannot start is left to the cron trigger. */
export const scheduledStarts: Settles = {
  due: (now, id) => (id === undefined ? dueAt({ now }) : dueOne({ now, id })),
  store: (db, ids, now) => {
    const isOpen = (id: string) => lastTried(id) + pause <= now;
    return startAll(db, ids.filter(isOpen), now);
  },
};

/**
 * Starts the experiments whose time has come. One that cannot start, as where its layer is full, is tried again with the
 * next run. `now` in epoch milliseconds.
 */
export async function startExperiments(db: Database, now: number): Promise<void> {
  const [due] = await db.batch(dueAt({ now }));
  const ids = due.map(({ id }) => id);
  await startAll(db, ids, now);
}
