import { type Column, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod';
import { hourOfTime, staleAfter } from '../../base/time.ts';
import { readNow } from '../../platform/store/entities/queries.ts';
import { constant, qualified } from '../../platform/store/sql/expressions.ts';

export const isReferenced = (id: Column): SQL =>
  sql`exists (select 1 from refs where refs.toKind = 'gate' and refs.toID = ${id})`;

export const hasAnyChecks = sql`exists (select 1 from checks where checks.kind > '')`;

/** Without checks, `checks` is false if other flags have any, else null. `isReferenced` is null unless stale by age. */
export function gateCountsColumn({
  id,
  type,
  lastModifiedTime,
}: Record<'id' | 'type' | 'lastModifiedTime', Column>): SQL<string | null> {
  const mayBeStale = sql`
    ${type} = 'TEMPORARY' and ${lastModifiedTime} <= ${readNow} - ${constant(staleAfter)}`;
  return sql`json_object(
    'checks', json(coalesce(
      (select json_object('hour', hour, 'count', count, 'previous', previous,
          'lastTrue', lastTrue, 'lastFalse', lastFalse)
        from checks where checks.kind = 'gate' and checks.id = ${qualified(id)}),
      iif(${mayBeStale} and ${hasAnyChecks}, 'false', null))),
    'isReferenced', iif(${mayBeStale}, ${isReferenced(id)}, null))`;
}

const ownChecks = z.object({
  hour: z.int(),
  count: z.int(),
  previous: z.int(),
  lastTrue: z.int().nullable(),
  lastFalse: z.int().nullable(),
});

const countsSchema = z.object({
  checks: ownChecks.or(z.literal(false)).nullable(),
  isReferenced: z.int().transform(Boolean).nullable(),
});

type CheckCounts = z.infer<typeof countsSchema>;
type Checks = z.infer<typeof ownChecks>;

/** Returns the checks read with a gate; after a change they are unknown, because changes do not read them. */
export function checkCounts({
  extraColumn,
}: {
  extraColumn?: string | null | undefined;
}): CheckCounts {
  const unknown = { checks: null, isReferenced: false };
  return extraColumn ? countsSchema.parse(JSON.parse(extraColumn)) : unknown;
}

/** Whether the checks belong to an earlier gate with this id. Checks without exposures do not reveal it. */
function belongsToEarlierGate({ hour, lastTrue, lastFalse }: Checks, createdTime: number): boolean {
  const last = Math.max(lastTrue ?? 0, lastFalse ?? 0);
  return last > 0 && last < createdTime && hour <= hourOfTime(createdTime);
}

/** Returns the checks of the current or the last full hour, the larger number. Times in epoch milliseconds. */
export function checksPerHour({ checks }: CheckCounts, createdTime: number, now: number): number {
  if (!checks || belongsToEarlierGate(checks, createdTime)) return 0;
  const age = hourOfTime(now) - checks.hour;
  if (age > 1) return 0;
  return age === 1 ? checks.count : Math.max(checks.count, checks.previous);
}

/** Returns whether a gate passed and failed for anyone since a time in epoch milliseconds. */
export const outcomesSince = ({ checks }: CheckCounts, since: number) => ({
  passing: checks && (checks.lastTrue ?? 0) >= since,
  failing: checks && (checks.lastFalse ?? 0) >= since,
});
