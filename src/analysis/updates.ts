import { sql } from 'drizzle-orm';
import { type Analysis, analyses } from '../resources/analyses/table.ts';
import { overRows } from '../store/sql/rows.ts';
import { type Statement, statement } from '../store/sql/statement.ts';

const property = (name: string, isNested = false) =>
  sql`(${sql.identifier('value')} ${sql.raw(isNested ? '->' : '->>')} ${name})`;

/** Stores what entities decide; a decided analysis is only closed. Loads store other columns. */
export const updateAnalyses: (rows: readonly Analysis[]) => Statement[] = overRows((given) => {
  const of = (name: string, isNested?: boolean) => {
    const value = property(name, isNested);
    const isSame = sql`value ->> 'kind' = ${analyses.kind} and value ->> 'id' = ${analyses.id} and value ->> 'start' = ${analyses.start}`;
    return sql`(select ${value} from ${given} where ${isSame})`;
  };
  const undecided = (name: string, isNested?: boolean) =>
    sql`iif(settings ->> 'decided' is null, ${of(name, isNested)}, ${sql.identifier(name)})`;
  const keys = sql`(select value ->> 'kind', value ->> 'id', value ->> 'start' from ${given})`;
  return statement(sql`
    update analyses set
      assignmentEnd = ${undecided('assignmentEnd')}, endTime = ${undecided('endTime')},
      settings = ${undecided('settings', true)}, isOpen = ${of('isOpen')}
    where (kind, id, start) in ${keys} and (isOpen or settings ->> 'decided' is null)`);
});

/** Returns the statements that close analyses. */
export const closeAnalyses = (rows: readonly Analysis[]): Statement[] =>
  updateAnalyses(rows.map((one) => ({ ...one, isOpen: false })));
