import { count, desc, type SQL, sql } from 'drizzle-orm';
import { once, query } from '../store/sql/statement.ts';
import { chosenKey, type Selection } from './stored.ts';
import { analysisLoads } from './table.ts';

const { kind, id, start, createdTime } = analysisLoads;

const isOfRun = (selection: Selection): SQL =>
  sql`(${kind}, ${id}, ${start}) = (${chosenKey(selection)})`;

/** Selects the loads of a run, newest first. */
export const readLoads = (selection: Selection, { page, limit }: { page: number; limit: number }) =>
  once(
    query
      .select({
        creatorName: analysisLoads.creatorName,
        createdTime,
        finishedTime: analysisLoads.finishedTime,
        finishedState: analysisLoads.finishedState,
        startDs: analysisLoads.startDs,
        endDs: analysisLoads.endDs,
        reloadType: analysisLoads.reloadType,
      })
      .from(analysisLoads)
      .where(isOfRun(selection))
      .orderBy(desc(createdTime))
      .limit(limit)
      .offset((page - 1) * limit),
  );

export const readLoadCount = (selection: Selection) =>
  once(
    query
      .select({ count: count().as('count') })
      .from(analysisLoads)
      .where(isOfRun(selection)),
  );
