import { sql } from 'drizzle-orm';
import { constant } from '../../platform/store/sql/expressions.ts';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';
import type { Start } from './table.ts';

/** D1 accepts 32 arguments of a function. */
const metric = sql`json_object('id', m.id, 'name', m.name, 'directionality', m.directionality, 'type', m.type,
  'unitTypes', json(m.unitTypes), 'metricEvents', json(m.metricEvents), 'funnelEventList', json(m.funnelEventList),
  'metricComponentMetrics', json(m.metricComponentMetrics), 'settings', json(m.settings))`;

/** The settings of the experiment, with the metrics that carried its tags. */
const wanted = sql`json_patch(${sql.placeholder('settings')}, iif(settings -> '$.tags' is null, '{}', json_object(
  'primaryMetrics', json(settings -> '$.primaryMetrics'), 'secondaryMetrics', json(settings -> '$.secondaryMetrics'),
  'tags', json(settings -> '$.tags'))))`;

/** Returns the statement by which the results of a run stay those of its decision. */
export function decideAnalysis(analysis: Start): Statement {
  const { kind, id, start, assignmentEnd, endTime } = analysis;
  const time = (value: number | null) => sql`${value === null ? sql`null` : constant(value)}`;
  return statement(sql`
    update analyses set assignmentEnd = ${time(assignmentEnd)}, endTime = ${time(endTime)},
      settings = json_set(${wanted}, '$.definitions', json(settings -> '$.definitions'),
        '$.uploaded', json(coalesce(settings -> '$.uploaded', '[]')),
        '$.decided.wasLoaded', json(iif(loadedTime is null, 'false', 'true')),
        '$.decided.metrics', json((
          with recursive listed(id) as (
            select j.value from json_each(${wanted}) k cross join json_each(k.value) j
              where k.key in ('primaryMetrics', 'secondaryMetrics', 'otherMetrics')
            union select (c.value ->> 'name') || '::' || (c.value ->> 'type') from listed
              cross join metrics m on m.id = listed.id cross join json_each(m.metricComponentMetrics) c)
          select json_group_array(${metric}) from listed cross join metrics m on m.id = listed.id)),
        '$.decided.units', json((
          select json_group_array(json_array(c."group", c.units)) from exposure_counts c
          where c.kind = ${kind} and c.id = ${id} and c.start = ${constant(start)})))
    where kind = ${kind} and id = ${id} and start = ${constant(start)} and settings ->> '$.decided.metrics' is null`)(
    { settings: JSON.stringify(analysis.settings) },
  );
}
