import { and, inArray, lte, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { staleBefore } from '../../base/time.ts';
import { unlessArchived } from '../../platform/operations/status.ts';
import type { SQLCondition } from '../../platform/store/sql/statement.ts';
import type { experimentList } from './schema.ts';
import { experimentTable } from './table.ts';
import { staleStatuses } from './view.ts';

const staleExperiments = (now: number): SQLCondition => ({
  name: 'stale',
  where: and(
    inArray(experimentTable.status, staleStatuses),
    lte(experimentTable.lastModifiedTime, sql.placeholder('staleBefore')),
  ),
  values: { staleBefore: staleBefore(now) },
});

/** Returns the filters of the experiment list that are not plain columns. */
export const filters = (query: z.infer<typeof experimentList>) => ({
  conditions: [query.stale ? staleExperiments(Date.now()) : undefined, unlessArchived(query)],
});
