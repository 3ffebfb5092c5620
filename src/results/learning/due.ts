import { eq, exists, lte, type SQL, sql } from 'drizzle-orm';
import { hourOfTime } from '../../base/time.ts';
import { autotuneRuns } from '../../experiments/autotune_runs/table.ts';
import { compileQuery, query } from '../../platform/store/sql/statement.ts';

/** Whether trials are to be counted for any autotune. `now` in epoch milliseconds. */
export const hasDueAutotunes = (now: number): SQL =>
  exists(
    query
      .select({ id: autotuneRuns.id })
      .from(autotuneRuns)
      .where(lte(autotuneRuns.dueHour, hourOfTime(now))),
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
