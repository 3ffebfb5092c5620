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

/** The most experiments that one run starts, the longest overdue first. */
const maxStarts = 100;

/** The most overdue experiments that a run considers: those that cannot start stay overdue. */
const mostDue = 1000;

/** How long requests wait before they retry a failed start, in milliseconds; the cron trigger retries each minute. */
const pause = hourLength;

/** The times of this isolate's last failed starts. */
const refused = new Map<string, number>();

const dueIDs = () => query.select({ id: experimentTable.id }).from(experimentTable);

/** Uses the small index of scheduled experiments. */
const isPast = lte(experimentTable.scheduledStartTime, sql.placeholder('now'));
const isWaiting = eq(unindexed(experimentTable.status), 'setup');

const dueAt = compile(
  dueIDs().where(and(isPast, isWaiting)).orderBy(experimentTable.scheduledStartTime).limit(mostDue),
);
/** By ID, so that other overdue experiments are not read. */
const dueOne = compile(
  dueIDs().where(
    and(
      eq(experimentTable.id, sql.placeholder('id')),
      lte(unindexed(experimentTable.scheduledStartTime), sql.placeholder('now')),
      isWaiting,
    ),
  ),
);

/** Starts an overdue experiment, unless another request has started it. */
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
 * Starts experiments, earlier failures last, so that these delay no others. Returns whether any was started, also by
 * another request.
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

/** Overdue starts. The cron trigger retries an experiment that cannot start. */
export const scheduledStarts: Settles = {
  due: (now, id) => (id === undefined ? dueAt({ now }) : dueOne({ now, id })),
  store: (db, ids, now) => {
    const isOpen = (id: string) => lastTried(id) + pause <= now;
    return startAll(db, ids.filter(isOpen), now);
  },
};

/**
 * Starts overdue experiments. An experiment that cannot start, for example on a full layer, is tried again in the
 * next run. `now` in epoch milliseconds.
 */
export async function startExperiments(db: Database, now: number): Promise<void> {
  const [due] = await db.batch(dueAt({ now }));
  const ids = due.map(({ id }) => id);
  await startAll(db, ids, now);
}
