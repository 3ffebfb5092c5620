import { eq, exists, lte, type SQL, sql } from 'drizzle-orm';
import { hourLength } from '../../base/durations.ts';
import { autotuneRuns } from '../../experiments/autotune_runs/table.ts';
import { compileQuery, query } from '../../platform/store/sql/statement.ts';

/** Returns the last full hour, in hours since 1970. */
export const hourOf = (time: number): number => Math.floor(time / hourLength);

/** Whether trials are to be counted for any autotune. `now` in epoch milliseconds. */
export const hasDueAutotunes = (now: number): SQL =>
  exists(
    query
      .select({ id: autotuneRuns.id })
      .from(autotuneRuns)
      .where(lte(autotuneRuns.dueHour, hourOf(now))),
  );

export const readDueRun = compileQuery(
  query
    .select()
    .from(autotuneRuns)
    .where(lte(autotuneRuns.dueHour, sql.placeholder('hour')))
    .orderBy(autotuneRuns.dueHour, autotuneRuns.id)
    .limit(1),
);

export const removeRun = compileQuery(
  query.delete(autotuneRuns).where(eq(autotuneRuns.id, sql.placeholder('id'))),
);
