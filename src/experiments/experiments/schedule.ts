import { and, eq, exists, lte, type SQL, sql } from 'drizzle-orm';
import { Problem } from '../../base/problem.ts';
import { hourLength } from '../../base/time.ts';
import type { OverdueChanges } from '../../platform/http/overdue.ts';
import { schedulerTransaction } from '../../platform/scheduled/transaction.ts';
import { commit } from '../../platform/store/commit.ts';
import { changeEntity } from '../../platform/store/entities/entities.ts';
import type { Database } from '../../platform/store/sql/database.ts';
import { unindexed } from '../../platform/store/sql/expressions.ts';
import { compileQuery, query } from '../../platform/store/sql/statement.ts';
import { moveExperiment } from './lifecycle/lifecycle.ts';
import { isStartOverdue } from './lifecycle/scheduled_start.ts';
import { experiments, experimentTable } from './table.ts';

const maxStarts = 100;

/** Bounds the read rows: experiments that cannot start stay overdue. */
const maxOverdue = 1000;

/** Requests retry a failed start after 1 h; the cron trigger retries it each minute. */
const retryAfterMs = hourLength;

const failedAt = new Map<string, number>();

const selectIDs = () => query.select({ id: experimentTable.id }).from(experimentTable);

const isPast = lte(experimentTable.scheduledStartTime, sql.placeholder('now'));
/** `unindexed` makes SQLite use the small index of scheduled starts, not the index of the status. */
const isWaiting = eq(unindexed(experimentTable.status), 'setup');

const readOverdue = compileQuery(
  selectIDs()
    .where(and(isPast, isWaiting))
    .orderBy(experimentTable.scheduledStartTime)
    .limit(maxOverdue),
);
const readOverdueByID = compileQuery(
  selectIDs().where(
    and(
      eq(experimentTable.id, sql.placeholder('id')),
      lte(unindexed(experimentTable.scheduledStartTime), sql.placeholder('now')),
      isWaiting,
    ),
  ),
);

async function startScheduled(db: Database, id: string, now: number): Promise<void> {
  const tx = schedulerTransaction(db, now);
  await changeEntity(tx, experiments, id, { action: 'start', ifMatch: undefined }, (current) =>
    isStartOverdue(current, now) ? moveExperiment(current, 'start', now) : current,
  );
  if (tx.changes.length === 0) return;
  const outcome = await commit(tx);
  if (outcome instanceof Problem) throw outcome;
}

const lastFailure = (id: string) => failedAt.get(id) ?? 0;

/** Returns whether any has started, even by another request. Failed starts come last, so that they block no others. */
async function startEach(db: Database, ids: string[], now: number): Promise<boolean> {
  let hasStarted = false;
  const failedLast = ids.toSorted((one, other) => lastFailure(one) - lastFailure(other));
  for (const id of failedLast.slice(0, maxStarts))
    try {
      await startScheduled(db, id, now);
      hasStarted = true;
      failedAt.delete(id);
    } catch (error) {
      failedAt.set(id, now);
      console.error(`The experiment ${id} was not started: ${error}`);
    }
  return hasStarted;
}

export const scheduledStarts: OverdueChanges = {
  due: (now, id) => (id === undefined ? readOverdue({ now }) : readOverdueByID({ now, id })),
  store: (db, ids, now) => {
    const isRetryable = (id: string) => lastFailure(id) + retryAfterMs <= now;
    return startEach(db, ids.filter(isRetryable), now);
  },
};

/** Whether the time of any experiment has come. `now` in epoch milliseconds. */
export const hasOverdueStarts = (now: number): SQL =>
  exists(selectIDs().where(and(lte(experimentTable.scheduledStartTime, now), isWaiting)));

/** Starts overdue experiments; the next run retries failures, such as a full layer. `now` in epoch milliseconds. */
export async function startExperiments(db: Database, now: number): Promise<void> {
  const [due] = await db.batch(readOverdue({ now }));
  const ids = due.map(({ id }) => id);
  await startEach(db, ids, now);
}
