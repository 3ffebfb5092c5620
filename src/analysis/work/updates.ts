import { sql } from 'drizzle-orm';
import { analyses, type Start } from '../../experiments/starts/table.ts';
import { overRows } from '../../platform/store/sql/rows.ts';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';
import { lastDay } from '../base/days.ts';

const property = (name: string, isNested = false) =>
  sql`(${sql.identifier('value')} ${sql.raw(isNested ? '->' : '->>')} ${name})`;

/** Stores the columns that follow from entities. A decided analysis changes only `isOpen`. A later `loadedTime` changes the ETag. */
export const updateAnalyses: (rows: readonly Start[]) => Statement[] = overRows(
  (given, isGiven) => {
    const of = (name: string, isNested?: boolean) => {
      const value = property(name, isNested);
      const isSame = sql`value ->> 'kind' = ${analyses.kind} and value ->> 'id' = ${analyses.id} and value ->> 'start' = ${analyses.start}`;
      return sql`(select ${value} from ${given} where ${isSame})`;
    };
    const undecided = (name: string, isNested?: boolean) =>
      sql`iif(settings ->> 'decided' is null, ${of(name, isNested)}, ${sql.identifier(name)})`;
    return statement(sql`
    update analyses set
      assignmentEnd = ${undecided('assignmentEnd')}, endTime = ${undecided('endTime')},
      settings = ${undecided('settings', true)}, isOpen = ${of('isOpen')},
      loadedTime = iif(settings ->> 'decided' is null, loadedTime + 1, loadedTime)
    where ${isGiven([analyses.kind, analyses.id, analyses.start])} and (isOpen or settings ->> 'decided' is null)`);
  },
);

export const closeAnalyses = (rows: readonly Start[]): Statement[] =>
  updateAnalyses(rows.map((one) => ({ ...one, isOpen: false })));

/** Returns the statements after which no day after the last one is loaded or planned. */
export function endAnalyses(analysis: Start, now: number): Statement[] {
  const { kind, id, start, loadedDay, dueDay } = analysis;
  const last = lastDay(analysis);
  if (last === null) return [];
  const isOf = sql`kind = ${kind} and id = ${id} and start = ${start}`;
  return [
    statement(sql`update analyses set loadedDay = ${loadedDay}, dueDay = min(dueDay, ${dueDay})
      where ${isOf} and loadedDay > ${last} and settings ->> 'decided' is null`)(),
    statement(sql`delete from analysis_runs where ${isOf} and ds > ${last}`)(),
    statement(sql`update analysis_loads set finishedTime = ${now}, finishedState = 'CANCELED'
      where ${isOf} and finishedTime is null and not exists (select 1 from analysis_runs where ${isOf})`)(),
  ];
}
