import { type Column, eq, exists, getTableColumns, gt, lte, type SQL } from 'drizzle-orm';
import * as z from 'zod';
import { staleAfter } from '../../shared/days.ts';
import { hourLength } from '../../shared/durations.ts';
import { readNow } from '../../store/entities/queries.ts';
import {
  allOf,
  constant,
  iif,
  jsonObject,
  jsonOf,
  minus,
  onlyValue,
  orElse,
} from '../../store/sql/expressions.ts';
import { query } from '../../store/sql/statement.ts';
import { refs } from '../../store/sql/tables.ts';
import { checks } from '../exposures/table.ts';

export const isReferenced = (id: Column) =>
  exists(
    query
      .select({ fromID: refs.fromID })
      .from(refs)
      .where(allOf(eq(refs.toKind, 'gate'), eq(refs.toID, id))),
  );

/** Whether a check was ever recorded, for any flag. */
export const hasAnyChecks = exists(
  query.select({ kind: checks.kind }).from(checks).where(gt(checks.kind, '')),
);

const { kind: _kind, id: _id, ...counts } = getTableColumns(checks);

const checksOf = (id: Column) =>
  query
    .select({ counts: jsonObject(counts) })
    .from(checks)
    .where(allOf(eq(checks.kind, 'gate'), eq(checks.id, id)));

/**
 * Without own checks, `checks` is false if other flags have some, else null. `isReferenced` is null unless stale by
 * age.
 */
export const gateCountsColumn = ({
  id,
  type,
  lastModifiedTime,
}: Record<'id' | 'type' | 'lastModifiedTime', Column>): SQL<string | null> => {
  const mayBeStale = allOf(
    eq(type, 'TEMPORARY'),
    lte(lastModifiedTime, minus(readNow, constant(staleAfter))),
  );
  const ifUncounted = iif(allOf(mayBeStale, hasAnyChecks), constant('false'));
  return jsonObject({
    checks: jsonOf(orElse(onlyValue(checksOf(id)), ifUncounted)),
    isReferenced: iif(mayBeStale, isReferenced(id)),
  });
};

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

type Counts = z.infer<typeof countsSchema>;
type Checks = z.infer<typeof ownChecks>;

/** Returns the checks read with a gate; after a change they are unknown, because changes do not read them. */
export function countsOf({ extraColumn }: { extraColumn?: string | null | undefined }): Counts {
  const unknown = { checks: null, isReferenced: false };
  return extraColumn ? countsSchema.parse(JSON.parse(extraColumn)) : unknown;
}

const hourOf = (time: number) => Math.floor(time / hourLength);

/** Whether the checks belong to an earlier gate with this id. Checks without exposures do not reveal it. */
function belongsToEarlierGate({ hour, lastTrue, lastFalse }: Checks, createdTime: number): boolean {
  const last = Math.max(lastTrue ?? 0, lastFalse ?? 0);
  return last > 0 && last < createdTime && hour <= hourOf(createdTime);
}

/** Returns the checks of the current or the last full hour, the larger number. Times in epoch milliseconds. */
export function checksPerHour({ checks }: Counts, createdTime: number, now: number): number {
  if (!checks || belongsToEarlierGate(checks, createdTime)) return 0;
  const age = hourOf(now) - checks.hour;
  if (age > 1) return 0;
  return age === 1 ? checks.count : Math.max(checks.count, checks.previous);
}

/** Returns whether a gate passed and failed for anyone since a time in epoch milliseconds. */
export const outcomesSince = ({ checks }: Counts, since: number) => ({
  passing: checks && (checks.lastTrue ?? 0) >= since,
  failing: checks && (checks.lastFalse ?? 0) >= since,
});
