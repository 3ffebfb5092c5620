import { sql } from 'drizzle-orm';
import { constant } from '../../platform/store/sql/expressions.ts';
import { insertRows, overRows } from '../../platform/store/sql/rows.ts';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';
import { analysisLoads } from './table.ts';

/** The loads of a run that are kept. A reader reads all of them to count and page them. */
export const keptLoads = 40;

export const scheduler = 'Scheduler';

type StoredLoad = typeof analysisLoads.$inferSelect;

const insertLoads = overRows((given) =>
  statement(sql`${insertRows(analysisLoads, given)} on conflict do nothing`),
);

const removeEarlier = overRows((given) =>
  statement(sql`
    with g as materialized (
      select value ->> 'kind' as kind, value ->> 'id' as id, value ->> 'start' as start,
        value ->> 'createdTime' as time, value ->> 'creatorName' as creator,
        value ->> 'startDs' as startDs, value ->> 'endDs' as endDs, coalesce((
          select l.createdTime from analysis_loads l
          where l.kind = value ->> 'kind' and l.id = value ->> 'id' and l.start = value ->> 'start'
          order by l.createdTime desc limit 1 offset ${constant(keptLoads)}), -1) as oldest
      from ${given})
    delete from analysis_loads where (kind, id, start, createdTime) in (
      select l.kind, l.id, l.start, l.createdTime from g cross join analysis_loads l
        on l.kind = g.kind and l.id = g.id and l.start = g.start and l.createdTime < g.time
      where l.createdTime <= g.oldest
        or (l.creatorName = ${scheduler} and g.creator = ${scheduler} and l.finishedTime is not null
          and l.startDs = g.startDs and l.endDs = g.endDs))`),
);

/** Returns the statements that add loads to the history, at most one of each analysis. */
export const storeLoads = (loads: readonly StoredLoad[]): Statement[] =>
  loads.length === 0 ? [] : [...insertLoads(loads), ...removeEarlier(loads)];
