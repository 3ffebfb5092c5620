import { and, eq, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { exposureCounts, exposures } from '../../data/exposures/table.ts';
import { analyses, analysisRemovals } from '../../experiments/starts/table.ts';
import { constant } from '../../platform/store/sql/expressions.ts';
import { primaryKeyOf } from '../../platform/store/sql/rows.ts';
import {
  compileQuery,
  once,
  query,
  type Statement,
  statement,
} from '../../platform/store/sql/statement.ts';
import { analysisExposures, analysisLoads, analysisMoments, analysisRuns } from './table.ts';

const ofRuns = [analysisMoments, analysisExposures, analysisRuns, analysisLoads, analyses];

/** Returns the statements that remove all results of a deleted gate or holdout. */
export const removeAnalyses = ({ kind, id }: { kind: string; id: string }): Statement[] =>
  ofRuns.map((table) => {
    const isOf =
      kind === 'gate'
        ? sql`${table.id} > ${`${id}:`} and ${table.id} < ${`${id};`}`
        : eq(table.id, id);
    return once(query.delete(table).where(and(sql`${table.kind} = ${kind}`, isOf)));
  });

const isExperiment = eq(analysisRemovals.kind, 'experiment');

/** D1 counts no row for a search of a key that finds none, unlike a scan. */
const anyRemoval = query.select().from(analysisRemovals).where(isExperiment).limit(1);

export const readRemoval = compileQuery(anyRemoval);

export const hasRemovals = sql`exists ${anyRemoval}`;

/** A restored experiment has the time of its first creation. */
const isPresent = (start: string) =>
  `exists (select 1 from experiments e where e.id = v.id and (e.startTime = ${start} or e.createdTime <= ${start}))`;

/** Returns the condition that a run does not belong to a deleted experiment, whose data are still stored. */
export const isKept = (run: 'a' | 'analyses') =>
  sql.raw(`not exists (select 1 from analysis_removals v where v.kind = ${run}.kind and v.id = ${run}.id
    and not ${isPresent(`${run}.start`)})`);

const maxRows = 10_000;

/** Returns the statements that remove some rows of a deleted experiment. The counts go last: a start looks for them. */
export function removePiece(id: string): Statement[] {
  const left = (table: SQLiteTable) => sql`
    from analysis_removals v cross join ${table} t on t.kind = v.kind and t.id = v.id
    where v.kind = 'experiment' and v.id = ${id} and not ${sql.raw(isPresent('t.start'))}`;
  const remove = (table: SQLiteTable, more = sql``) => {
    const names = primaryKeyOf(table).map(({ name }) => sql.identifier(name));
    const own = names.map((name) => sql`t.${name}`);
    return statement(sql`
      delete from ${table} where (${sql.join(names, sql`, `)}) in
        (select ${sql.join(own, sql`, `)} ${left(table)} limit ${constant(maxRows)}) ${more}`)();
  };
  const large = [...ofRuns, exposures];
  const isGone = sql`not exists (select 1 ${sql.join(large.map(left), sql`) and not exists (select 1 `)})`;
  const removals = sql`delete from analysis_removals where kind = 'experiment' and id = ${id}`;
  return [
    ...large.map((table) => remove(table)),
    remove(exposureCounts, sql`and ${isGone}`),
    statement(sql`${removals} and ${isGone}`)(),
  ];
}
