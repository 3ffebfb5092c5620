import { type SQL, sql } from 'drizzle-orm';
import { dayLength } from '../../base/time.ts';
import { constant, valuesIn } from '../../platform/store/sql/expressions.ts';
import { type DayScope, exposedID } from '../base/scope.ts';

export interface Chunk {
  after: string;
  size: number;
}

/** The name of a column for a value of a unit, by its place. */
export const valueColumn = (place: number): string => `c${place}`;

const exposuresSQL = ({ analysis, exposureEnd }: DayScope): SQL => sql`
  exposures where kind = ${analysis.kind} and id = ${exposedID(analysis)} and start = ${constant(analysis.start)}
    and unitType = ${analysis.unitType} and firstTime < ${constant(exposureEnd)}
    and "group" in ${valuesIn(JSON.stringify(analysis.groups.map(({ id }) => id)))}`;

const exposureTime = ({ analysis }: DayScope, firstTime: SQL): SQL =>
  sql`max(${firstTime}, ${constant(analysis.start)})`;

const drawnSQL = ({ analysis }: DayScope): SQL[] =>
  analysis.groups.flatMap(({ id, drawsBelow }) =>
    drawsBelow === undefined
      ? []
      : [sql`and (min("group") <> ${id} or min(draw) < ${constant(drawsBelow)})`],
  );

/** The units of a chunk with their group `g` and time `t`; units in several groups are left out. */
export const exposedUnits = (scope: DayScope, { after, size }: Chunk): SQL => sql`
  select unit, min("group") as g, ${exposureTime(scope, sql`min(firstTime)`)} as t, attributes
  from ${exposuresSQL(scope)} and unit > ${after}
  group by unit having count(*) = 1 ${sql.join(drawnSQL(scope), sql` `)}
  order by unit limit ${constant(size)}`;

/** All exposures of the units of a chunk. */
export const exposuresOfUnits = (scope: DayScope, { after, size }: Chunk): SQL => sql`
  select unit, attributes, json_group_array(json_array("group", ${exposureTime(scope, sql`firstTime`)}, draw)) as seen,
    min(firstTime) < ${constant(scope.analysis.start - dayLength)} as isEarly
  from ${exposuresSQL(scope)} and unit > ${after}
  group by unit order by unit limit ${constant(size)}`;

/** The exposures of each group and day, to find late ones. */
export const exposuresByDay = (scope: DayScope): SQL => {
  const time = exposureTime(scope, sql`firstTime`);
  return sql`
  select "group" as g, ${time} / 86400000 as ds, count(*) as exposures, sum(${time} % 86400000) as firstTimes
  from ${exposuresSQL(scope)} group by g, ds`;
};
