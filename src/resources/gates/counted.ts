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

export const isReferred = (id: Column) =>
  exists(
    query
      .select({ fromID: refs.fromID })
      .from(refs)
      .where(allOf(eq(refs.toKind, 'gate'), eq(refs.toID, id))),
  );

/** Whether any checks were counted in the project. */
export const isCounting = exists(
  query.select({ kind: checks.kind }).from(checks).where(gt(checks.kind, '')),
);

const { kind: _kind, id: _id, ...counts } = getTableColumns(checks);

const checksOf = (id: Column) =>
  query
    .select({ counts: jsonObject(counts) })
    .from(checks)
    .where(allOf(eq(checks.kind, 'gate'), eq(checks.id, id)));

/**
 * Reads the checks of a gate in the same query. For an old temporary gate, also whether it has referrers, and without
 * checks, whether the project counts checks at all: false, or null.
 */
export const besideGate = ({
  id,
  type,
  lastModifiedTime,
}: Record<'id' | 'type' | 'lastModifiedTime', Column>): SQL<string | null> => {
  const mayBeStale = allOf(
    eq(type, 'TEMPORARY'),
    lte(lastModifiedTime, minus(readNow, constant(staleAfter))),
  );
  const ofOthers = iif(allOf(mayBeStale, isCounting), constant('false'));
  return jsonObject({
    checks: jsonOf(orElse(onlyValue(checksOf(id)), ofOthers)),
    isReferred: iif(mayBeStale, isReferred(id)),
  });
};

const ownChecks = z.object({
  hour: z.int(),
  count: z.int(),
  previous: z.int(),
  lastTrue: z.int().nullable(),
  lastFalse: z.int().nullable(),
});

const counted = z.object({
  checks: ownChecks.or(z.literal(false)).nullable(),
  isReferred: z.int().transform(Boolean).nullable(),
});

type Counted = z.infer<typeof counted>;
type Checks = z.infer<typeof ownChecks>;

/** Parses the counts of a gate; nothing is known right after a change. */
export function countsOf({ beside }: { beside?: string | null | undefined }): Counted {
  const nothing = { checks: null, isReferred: false };
  return beside ? counted.parse(JSON.parse(beside)) : nothing;
}

const hourOf = (time: number) => Math.floor(time / hourLength);

/** Whether the counts belong to an earlier gate with the same ID. Unknown for checks without exposures. */
function isOfEarlier({ hour, lastTrue, lastFalse }: Checks, createdTime: number): boolean {
  const last = Math.max(lastTrue ?? 0, lastFalse ?? 0);
  return last > 0 && last < createdTime && hour <= hourOf(createdTime);
}

/**
 * Returns the checks of the running hour or of the last full one: the larger count. Times in epoch milliseconds.
 */
export function checksPerHour({ checks }: Counted, createdTime: number, now: number): number {
  if (!checks || isOfEarlier(checks, createdTime)) return 0;
  const age = hourOf(now) - checks.hour;
  if (age > 1) return 0;
  return age === 1 ? checks.count : Math.max(checks.count, checks.previous);
}

/** Whether a gate passed, and failed, since a time in epoch milliseconds. */
export const seenSince = ({ checks }: Counted, since: number) => ({
  passing: checks && (checks.lastTrue ?? 0) >= since,
  failing: checks && (checks.lastFalse ?? 0) >= since,
});
