import { and, eq, lte, not, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { staleBefore } from '../../base/time.ts';
import { statusFilters } from '../../platform/operations/status.ts';
import type { SQLCondition } from '../../platform/store/sql/statement.ts';
import { hasAnyChecks, isReferenced } from './counted.ts';
import type { gateList } from './schema.ts';
import { gateTable } from './table.ts';

const { id, type, status, rules, lastModifiedTime } = gateTable;

const passesAll = sql`(
  ${rules}->>'$[0].passPercentage' = 100 and ${rules}->>'$[0].environments' is null
  and not exists (
    select 1 from json_each(${rules}, '$[0].conditions') where value->>'type' <> 'public'))`;

const passesNone = sql`not exists (
  select 1 from json_each(${rules}) where value->>'passPercentage' <> 0)`;

const before = sql.placeholder('staleBefore');

const hadBothOutcomes = sql`exists (
  select 1 from checks
  where checks.kind = 'gate' and checks.id = ${id}
    and checks.lastTrue >= ${before} and checks.lastFalse >= ${before})`;

const isUnused = sql`iif(
  ${hasAnyChecks},
  ${rules} = '[]' or not ${hadBothOutcomes},
  ${status} <> 'In Progress' or ${passesAll} or ${passesNone})`;

const staleGates = (now: number): SQLCondition => ({
  name: 'stale',
  where: and(eq(type, 'TEMPORARY'), lte(lastModifiedTime, before), not(isReferenced(id)), isUnused),
  values: { staleBefore: staleBefore(now) },
});

/** Returns the filters of the gate list that are not plain columns. */
export function filters(query: z.infer<typeof gateList>) {
  const { conditions = [], ...others } = statusFilters(query, ['In Progress', 'Launched']);
  return {
    ...others,
    labels: { holdoutIDs: query.holdoutID },
    conditions: [...conditions, query.stale ? staleGates(Date.now()) : undefined],
  };
}
