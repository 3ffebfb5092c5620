import { and, eq, sql } from 'drizzle-orm';
import { type Analysis, analyses } from '../resources/analyses/table.ts';
import { once, query, type Statement } from '../store/sql/statement.ts';
import { analysisExposures, analysisLoads, analysisMoments, analysisRuns } from './table.ts';

/** Returns the statements that remove everything of a deleted entity. */
export function removeAnalyses({ kind, id }: { kind: string; id: string }): Statement[] {
  const tables = [analysisMoments, analysisExposures, analysisRuns, analysisLoads, analyses];
  return tables.map((table) => {
    const isOf =
      kind === 'gate'
        ? sql`${table.id} > ${`${id}:`} and ${table.id} < ${`${id};`}`
        : eq(table.id, id);
    return once(query.delete(table).where(and(sql`${table.kind} = ${kind}`, isOf)));
  });
}

/** Returns the statement that removes the planned work of an analysis. */
export const removeRuns = ({ kind, id, start }: Analysis): Statement =>
  once(
    query
      .delete(analysisRuns)
      .where(
        and(eq(analysisRuns.kind, kind), eq(analysisRuns.id, id), eq(analysisRuns.start, start)),
      ),
  );
