import { sql } from 'drizzle-orm';
import type * as z from 'zod';
import { statusFilters } from '../../operations/status.ts';
import type { Condition } from '../../store/terms.ts';
import { staleBefore } from './gate.ts';
import type { gateList } from './schema.ts';
import { gateTable } from './table.ts';

const { id, type, status, rules, lastModifiedTime } = gateTable;

/** Whether the first rule passes everyone. */
const passesAll = sql`(${rules}->>'$[0].passPercentage' = 100 and not exists (
  select 1 from json_each(${rules}, '$[0].conditions') where value->>'type' <> 'public'))`;

/** Whether no rule passes anyone; so it is without rules. */
const passesNone = sql`not exists (
  select 1 from json_each(${rules}) where value->>'passPercentage' <> 0)`;

const before = sql.placeholder('staleBefore');

const isReferred = sql`exists (select 1 from refs where refs.toKind = 'gate' and refs.toID = ${id})`;
const isCounting = sql`exists (select 1 from checks where checks.kind > '')`;
const isWithoutRules = sql`json_array_length(${rules}) = 0`;

/** Whether it was seen to pass, and to fail, since then. */
const wasSeenBoth = sql`exists (select 1 from checks where checks.kind = 'gate' and checks.id = ${id}
  and lastTrue >= ${before} and lastFalse >= ${before})`;

/** A condition: the gates for which `staleReason` has a reason at a time, in epoch milliseconds. */
const staleAt = (now: number): Condition => ({
  name: 'stale',
  where: sql`${type} = 'TEMPORARY' and ${lastModifiedTime} <= ${before} and not ${isReferred}
    and case when ${isCounting} then ${isWithoutRules} or not ${wasSeenBoth}
      else ${status} <> 'In Progress' or ${passesAll} or ${passesNone} end`,
  values: { staleBefore: staleBefore(now) },
});

/** The filters that only the list of gates has. */
export function filters(query: z.infer<typeof gateList>) {
  const { type, idType, teamID, releasePipelineID, holdoutID, stale } = query;
  const { columns, conditions = [], ...others } = statusFilters(query, ['In Progress', 'Launched']);
  return {
    ...others,
    columns: { ...columns, type, idType, teamID, releasePipelineID },
    labels: { holdoutIDs: holdoutID },
    conditions: [...conditions, stale ? staleAt(Date.now()) : undefined],
  };
}
