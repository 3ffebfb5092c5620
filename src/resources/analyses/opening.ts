import { overRows, valuesOf } from '../../store/sql/rows.ts';
import { query, type Statement } from '../../store/sql/statement.ts';
import { type Analysis, analyses } from './table.ts';

/** Returns the statements that open analyses; one that exists keeps the design of its start. */
export const openAnalyses: (rows: readonly Analysis[]) => Statement[] = overRows((given) =>
  query.insert(analyses).select(valuesOf(analyses, given)).onConflictDoNothing(),
);
