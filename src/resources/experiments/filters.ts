import { sql } from 'drizzle-orm';
import type * as z from 'zod';
import type { Condition } from '../../store/reads.ts';
import type { experimentList } from './schema.ts';
import { experimentTable } from './table.ts';
import { staleBefore, staleStatuses } from './view.ts';

/** A condition: the experiments that are stale at a time, in epoch milliseconds. */
const staleAt = (now: number): Condition => ({
  name: 'stale',
  where: sql`${experimentTable.status} in ${staleStatuses}
    and ${experimentTable.lastModifiedTime} <= ${sql.placeholder('staleBefore')}`,
  values: { staleBefore: staleBefore(now) },
});

/** A condition: the experiments that are not archived. */
const notArchived: Condition = {
  name: 'not archived',
  where: sql`${experimentTable.status} <> 'archived'`,
  values: {},
};

/** The filters that only the list of experiments has. */
export function filters(query: z.infer<typeof experimentList>) {
  const { layerID, idType, teamID, status, experimentType, stale, includeArchived = true } = query;
  return {
    columns: { layerID, idType, teamID, status, experimentType },
    conditions: [
      stale ? staleAt(Date.now()) : undefined,
      includeArchived ? undefined : notArchived,
    ],
  };
}
