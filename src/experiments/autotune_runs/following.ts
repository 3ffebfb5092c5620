import { eq, sql } from 'drizzle-orm';
import { hourLength } from '../../base/time.ts';
import { deleteFrom, insertRows, overRows } from '../../platform/store/sql/rows.ts';
import {
  compileQuery,
  query,
  type Statement,
  statement,
} from '../../platform/store/sql/statement.ts';
import { autotuneHours, autotuneRuns, nothingCounted } from './table.ts';

interface Running {
  id: string;
  status: string;
  startTime: number | null;
}

const openRun = overRows((given) =>
  statement(sql`
    ${insertRows(autotuneRuns, given)}
    on conflict (id) do update set
      start = excluded.start, dueHour = excluded.dueHour, counted = excluded.counted`),
);

const removeHours = compileQuery(
  query.delete(autotuneHours).where(eq(autotuneHours.id, sql.placeholder('id'))),
);

const startTimeOf = (autotune: Running | undefined): number | null =>
  autotune?.status === 'active' ? autotune.startTime : null;

/** Returns the statements that begin and end learning with a run of an autotune. */
export function followRun(before: Running | undefined, after: Running | undefined): Statement[] {
  const id = after?.id ?? before?.id ?? '';
  const removed = after ? [] : [removeHours({ id })];
  const [previous, start] = [startTimeOf(before), startTimeOf(after)];
  if (previous === start) return removed;
  if (start === null) return [...deleteFrom(autotuneRuns, [{ id }]), ...removed];
  const dueHour = Math.floor(start / hourLength) + 1;
  return openRun([{ id, start, dueHour, counted: nothingCounted }]);
}
