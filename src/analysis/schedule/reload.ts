import { and, eq } from 'drizzle-orm';
import { dayOfTime } from '../../base/time.ts';
import { analyses } from '../../experiments/starts/table.ts';
import { constant } from '../../platform/store/sql/expressions.ts';
import { once, query, type Statement } from '../../platform/store/sql/statement.ts';
import type { AnalysisKey } from '../work/day_tasks.ts';

/** Returns the statement after which all days are loaded again, also those that late data no longer change. */
export const reloadAllDays = ({ kind, id, start }: AnalysisKey): Statement =>
  once(
    query
      .update(analyses)
      .set({ dueDay: constant(dayOfTime(start)), isOpen: true })
      .where(and(eq(analyses.kind, kind), eq(analyses.id, id), eq(analyses.start, start))),
  );
