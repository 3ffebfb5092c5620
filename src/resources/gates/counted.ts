import { and, type Column, eq, exists, getTableColumns, gt, type SQL } from 'drizzle-orm';
import * as z from 'zod';
import { hourLength } from '../../shared/durations.ts';
import { constant, iif, jsonObject, jsonOf } from '../../store/sqlite.ts';
import { query } from '../../store/statement.ts';
import { refs } from '../../store/tables.ts';
import { checks } from '../exposures/table.ts';

/** Whether something refers to a gate. */
export const isReferred = (id: Column) =>
  exists(
    query
      .select({ fromID: refs.fromID })
      .from(refs)
      .where(and(eq(refs.toKind, 'gate'), eq(refs.toID, id))),
  );

/** Whether anything was counted at all. */
export const isCounting = exists(
  query.select({ kind: checks.kind }).from(checks).where(gt(checks.kind, '')),
);

const { kind: _kind, id: _id, ...counts } = getTableColumns(checks);

/** The checks that were counted of a gate. */
const checksOf = (id: Column) =>
  query
    .select({ counts: jsonObject(counts) })
    .from(checks)
    .where(and(eq(checks.kind, 'gate'), eq(checks.id, id)));

/**
 * What is known of the checks of a gate, read with it: those counted of it, and of a temporary one whether something
 * refers to it and whether anything was counted at all.
 */
export const besideGate = ({ id, type }: Record<'id' | 'type', Column>): SQL<string | null> =>
  jsonObject({
    checks: jsonOf(checksOf(id)),
    isReferred: iif(eq(type, 'TEMPORARY'), isReferred(id), constant(0)),
    isCounting: iif(eq(type, 'TEMPORARY'), isCounting, constant(0)),
  });

const counted = z.object({
  checks: z
    .object({
      hour: z.int(),
      count: z.int(),
      previous: z.int(),
      lastTrue: z.int().nullable(),
      lastFalse: z.int().nullable(),
    })
    .nullable(),
  isReferred: z.int().transform(Boolean),
  isCounting: z.int().transform(Boolean),
});

type Counted = z.infer<typeof counted>;
type Checks = NonNullable<Counted['checks']>;

/** What was read beside a gate; nothing is known beside one that is only just changed. */
export function countsOf({ beside }: { beside?: string | null | undefined }): Counted {
  const nothing = { checks: null, isReferred: false, isCounting: false };
  return beside ? counted.parse(JSON.parse(beside)) : nothing;
}

const hourOf = (time: number) => Math.floor(time / hourLength);

/** Whether all that was counted is of an earlier gate of the id; of checks without exposures that is not known. */
function isOfEarlier({ hour, lastTrue, lastFalse }: Checks, createdTime: number): boolean {
  const last = Math.max(lastTrue ?? 0, lastFalse ?? 0);
  return last > 0 && last < createdTime && hour <= hourOf(createdTime);
}

/** Checks of the running hour, or of the last whole one: the larger. Times in epoch milliseconds. */
export function checksPerHour({ checks }: Counted, createdTime: number, now: number): number {
  if (!checks || isOfEarlier(checks, createdTime)) return 0;
  const age = hourOf(now) - checks.hour;
  if (age > 1) return 0;
  return age === 1 ? checks.count : Math.max(checks.count, checks.previous);
}

/** Whether a gate was seen to pass, and to fail, since a time in epoch milliseconds. */
export const seenSince = ({ checks }: Counted, since: number) => ({
  passing: (checks?.lastTrue ?? 0) >= since,
  failing: (checks?.lastFalse ?? 0) >= since,
});
