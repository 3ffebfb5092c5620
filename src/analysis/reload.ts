import { and, eq } from 'drizzle-orm';
import { analyses } from '../resources/analyses/table.ts';
import { constant } from '../store/sql/expressions.ts';
import { once, query, type Statement } from '../store/sql/statement.ts';
import { dayOf } from './days.ts';
import type { AnalysisKey } from './runs.ts';

/** Returns the statement after which all days are loaded again, also those that late data do not change any more. */
export const reloadAllDays = ({ kind, id, start }: AnalysisKey): Statement =>
  once(
    query
      .update(analyses)
      .set({ dueDay: constant(dayOf(start)), isOpen: true })
      .where(and(eq(analyses.kind, kind), eq(analyses.id, id), eq(analyses.start, start))),
  );
