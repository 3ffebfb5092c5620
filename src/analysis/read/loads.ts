import { desc, sql } from 'drizzle-orm';
import { once, query } from '../../platform/store/sql/statement.ts';
import { keptLoads } from '../base/loads.ts';
import { analysisLoads } from '../base/table.ts';
import { chosenKey, type Selection } from './stored.ts';

/** Selects all loads of a run that are kept, newest first. */
export const readLoads = (selection: Selection) =>
  once(
    query
      .select({
        creatorName: analysisLoads.creatorName,
        createdTime: analysisLoads.createdTime,
        finishedTime: analysisLoads.finishedTime,
        finishedState: analysisLoads.finishedState,
        startDs: analysisLoads.startDs,
        endDs: analysisLoads.endDs,
        reloadType: analysisLoads.reloadType,
      })
      .from(analysisLoads)
      .where(
        sql`(${analysisLoads.kind}, ${analysisLoads.id}, ${analysisLoads.start}) = (${chosenKey(selection)})`,
      )
      .orderBy(desc(analysisLoads.createdTime))
      .limit(keptLoads),
  );
