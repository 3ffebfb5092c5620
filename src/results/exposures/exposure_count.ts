import { sql } from 'drizzle-orm';
import type { Context } from 'hono';
import type * as z from 'zod';
import { isKept } from '../../analysis/base/removal.ts';
import { Problem } from '../../base/problem.ts';
import { dayOfTime } from '../../base/time.ts';
import type { Service } from '../../platform/env.ts';
import { openReads } from '../../platform/http/transact.ts';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';
import { idsInParameter } from '../base/query.ts';
import type { exposureCounts, exposureCountsQuery } from './exposure_count_schema.ts';

interface ExposureCount {
  kind: string;
  id: string;
  isKnown: boolean;
  pastDay: number;
  past7Days: number;
}

const readCounts = (
  wanted: readonly [kind: string, id: string][],
  today: number,
): Statement<ExposureCount> => {
  const exposures = (days: number) => sql`(
    select coalesce(sum(e.exposures), 0) from analyses a cross join analysis_exposures e
      on e.kind = a.kind and e.id = a.id and e.start = a.start
        and e.ds >= ${today - days} and e.ds < ${today} and e.dimension = ''
    where a.kind = w.kind and a.id >= w.first and a.id < w.last and ${isKept('a')})`;
  return statement(
    sql`with w as materialized (
        select value ->> 0 as kind, value ->> 1 as id,
          value ->> 1 || iif(value ->> 0 = 'gate', ':', '') as first,
          value ->> 1 || iif(value ->> 0 = 'gate', ';', char(1)) as last
        from json_each(${JSON.stringify(wanted)}))
      select kind, id, ${exposures(1)} as pastDay, ${exposures(7)} as past7Days,
        case kind when 'experiment' then exists (select 1 from experiments x where x.id = w.id)
          when 'gate' then exists (select 1 from gates x where x.id = w.id)
          else exists (select 1 from dynamic_configs x where x.id = w.id) end as isKnown
      from w`,
    (row) => ({
      kind: String(row.kind),
      id: String(row.id),
      isKnown: row.isKnown === 1,
      pastDay: Number(row.pastDay),
      past7Days: Number(row.past7Days),
    }),
  )();
};

const kinds = {
  experiments: ['experiment', 'experiment'],
  gates: ['gate', 'gate'],
  dynamicConfigs: ['dynamic_config', 'dynamic config'],
} as const;

/** Returns the recorded exposures of the last whole days. One round trip. @throws Problem 404 for an unknown ID */
export async function readExposureCounts(
  c: Context<Service>,
  query: z.output<typeof exposureCountsQuery>,
): Promise<z.output<typeof exposureCounts>> {
  const wanted = (['experiments', 'gates', 'dynamicConfigs'] as const).flatMap((list) =>
    idsInParameter(query[list]).map((id): [string, string] => [kinds[list][0], id]),
  );
  if (wanted.length === 0)
    throw Problem.property('experiments', 'must be given, unless gates or dynamicConfigs are');
  const [counted] = await openReads(c).read(readCounts(wanted, dayOfTime(Date.now())));
  const unknown = counted.find(({ isKnown }) => !isKnown);
  if (unknown) {
    const noun = Object.values(kinds).find(([kind]) => kind === unknown.kind)?.[1];
    throw new Problem('not_found', `There is no ${noun} with the id ${unknown.id}.`);
  }
  const of = (list: keyof typeof kinds) =>
    counted
      .filter(({ kind }) => kind === kinds[list][0])
      .map(({ id, pastDay, past7Days }) => ({ id, pastDay, past7Days }));
  const unrecorded = of('dynamicConfigs').map(({ id }) => ({ id, pastDay: null, past7Days: null }));
  return { experiments: of('experiments'), gates: of('gates'), dynamicConfigs: unrecorded };
}
