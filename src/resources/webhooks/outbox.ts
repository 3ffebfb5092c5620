import { and, asc, desc, eq, exists, inArray, lte, type SQL, sql } from 'drizzle-orm';
import { dayLength } from '../../shared/durations.ts';
import { shownColumns } from '../../store/history/list.ts';
import type { Database } from '../../store/sql/database.ts';
import { deleteInPieces, mostDeleted } from '../../store/sql/deletions.ts';
import {
  always,
  anyOf,
  bound,
  eachOf,
  field,
  jsonList,
  qualified,
  valuesIn,
} from '../../store/sql/expressions.ts';
import { compile, query } from '../../store/sql/statement.ts';
import { revisions } from '../../store/sql/tables.ts';
import { webhookDeliveries, webhookTable } from './table.ts';

const { id, webhookID, seq, attempts, nextTime, createdTime } = webhookDeliveries;

/** How long a claim lasts if its owner ends early, in milliseconds: longer than any run. */
const lease = 60_000;

/** The most deliveries of one webhook in a claim. */
const most = 50;

/** The address of a webhook, and its sealed secret. */
export type Receiver = Pick<typeof webhookTable.$inferSelect, 'url' | 'secret'>;

/** A claimed delivery with its change. */
export interface Due {
  id: string;
  webhookID: string;
  attempts: number;
  /** The end of the claim, in epoch milliseconds. Another claim would have changed it. */
  nextTime: number | null;
  receiver: Receiver;
  change: Record<string, unknown>;
}

/** The overdue deliveries of one webhook, oldest first, so that no more rows are read than claimed. */
const dueOfOne = query
  .select({ id })
  .from(webhookDeliveries)
  .where(and(eq(webhookID, webhookTable.id), lte(nextTime, sql.placeholder('now'))))
  .orderBy(nextTime, seq)
  .limit(most)
  .as('due');

const idsOfOne = query.select({ ids: jsonList(dueOfOne.id).as('ids') }).from(dueOfOne);

/** The overdue deliveries of each active webhook, as JSON: SQLite has no lateral join. */
const dueOfEach = query
  .select({ id: field<string>('value') })
  .from(webhookTable)
  .innerJoin(eachOf(idsOfOne), always)
  .where(eq(webhookTable.isActive, true));

const claim = compile(
  query
    .update(webhookDeliveries)
    .set({ nextTime: bound('until') })
    .where(inArray(id, dueOfEach))
    .returning({ id }),
);

const receiver = { url: webhookTable.url, secret: webhookTable.secret };

const claimed = compile(
  query
    .select({
      ...shownColumns, // a receiver is told what the audit log shows
      ...receiver,
      version: qualified(revisions.version).as('version'),
      entityID: qualified(revisions.id).as('entityID'),
      id: qualified(id).as('id'),
      webhookID,
      attempts,
      nextTime,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookTable, eq(webhookTable.id, webhookID))
    .innerJoin(revisions, eq(revisions.seq, seq))
    .where(inArray(id, valuesIn(sql.placeholder('ids'))))
    .orderBy(asc(seq)),
);

/** Whether any active webhook has an overdue delivery. `now` in epoch milliseconds. */
export const hasOverdueDeliveries = (now: number): SQL =>
  exists(
    query
      .select({ id })
      .from(webhookTable)
      .innerJoin(webhookDeliveries, and(eq(webhookID, webhookTable.id), lte(nextTime, now)))
      .where(eq(webhookTable.isActive, true)),
  );

/**
 * Claims overdue deliveries, so that no other run sends them: up to fifty of each webhook. `now` in epoch
 * milliseconds.
 */
export async function claimDue(db: Database, now: number): Promise<Due[]> {
  const [ids] = await db.batch(claim({ now, until: now + lease }));
  if (ids.length === 0) return [];
  const [rows] = await db.batch(claimed({ ids: JSON.stringify(ids.map((row) => row.id)) }));
  return rows.map(({ id, webhookID, attempts, nextTime, url, secret, entityID, ...change }) => ({
    ...{ id, webhookID, attempts, nextTime },
    receiver: { url, secret },
    change: { ...change, id: entityID },
  }));
}

const isClaimed = eq(nextTime, sql.placeholder('until'));

const release = compile(
  query
    .update(webhookDeliveries)
    .set({ nextTime: bound('now') })
    .where(and(inArray(id, valuesIn(sql.placeholder('ids'))), isClaimed)),
);

/** Returns claimed deliveries that were not sent to the next run. `now` in epoch milliseconds. */
export async function leave(db: Database, left: readonly Due[], now: number): Promise<void> {
  const [one] = left;
  if (!one) return;
  const ids = JSON.stringify(left.map((due) => due.id));
  await db.batch(release({ ids, now, until: one.nextTime }));
}

/** The recorded result of an attempt. */
export type Note = Pick<
  typeof webhookDeliveries.$inferSelect,
  'status' | 'attempts' | 'nextTime' | 'lastTime' | 'lastError'
>;

const note = compile(
  query
    .update(webhookDeliveries)
    .set({
      status: bound('status'),
      attempts: bound('attempts'),
      nextTime: bound('nextTime'),
      lastTime: bound('lastTime'),
      lastError: bound('lastError'),
    })
    .where(and(eq(id, sql.placeholder('id')), isClaimed)),
);

const receiverOf = compile(
  query
    .select(receiver)
    .from(webhookTable)
    .where(and(eq(webhookTable.id, sql.placeholder('webhook')), eq(webhookTable.isActive, true))),
);

/**
 * Records the result of an attempt, unless the delivery was reset meanwhile. Returns the receiver of the webhook's
 * next delivery, if the webhook is still active.
 */
export async function noteAttempt(
  db: Database,
  { id, webhookID, nextTime: until }: Due,
  outcome: Note,
): Promise<Receiver | undefined> {
  const [, [next]] = await db.batch(
    note({ id, until, ...outcome }),
    receiverOf({ webhook: webhookID }),
  );
  return next;
}

/**
 * Deleted webhooks with remaining deliveries, each found after the one before; Drizzle's builder has no recursion.
 * The audit log would return every webhook ever deleted.
 */
const gone = sql`(with recursive told (id) as (
  select min(${webhookID}) from ${webhookDeliveries} union all
  select (select min(${webhookID}) from ${webhookDeliveries} where ${webhookID} > told.id) from told where id is not null)
  select id from told where id not in (select id from ${webhookTable}))`;

const idsWhere = (what: SQL) => query.select({ id }).from(webhookDeliveries).where(what);

/** Each statement deletes as many rows as one may; old deliveries oldest first, so that `nth` has no gaps. */
const forgotten = [
  idsWhere(lte(createdTime, sql.placeholder('until')))
    .orderBy(createdTime)
    .limit(mostDeleted),
  idsWhere(inArray(webhookID, gone)).limit(mostDeleted),
].map((ids) => compile(query.delete(webhookDeliveries).where(inArray(id, ids))));

/** How long deliveries are listed, in milliseconds. */
const kept = 30 * dayLength;

/** Whether any delivery is older than 30 days or of a deleted webhook. `now` in epoch milliseconds. */
export const hasOldDeliveries = (now: number): SQL =>
  anyOf(exists(idsWhere(lte(createdTime, now - kept))), exists(idsWhere(inArray(webhookID, gone))));

/** Deletes deliveries older than 30 days, and those of deleted webhooks. `now` in epoch milliseconds. */
export async function purgeWebhookDeliveries(db: Database, now: number): Promise<void> {
  await deleteInPieces(db, ...forgotten.map((statement) => statement({ until: now - kept })));
}

const active = compile(
  query
    .select({ id: webhookTable.id })
    .from(webhookTable)
    .where(eq(webhookTable.isActive, true))
    .orderBy(desc(webhookTable.id))
    .limit(1),
);

/** Whether any webhook is active. */
export async function isAnyActive(db: Database): Promise<boolean> {
  const [[webhook]] = await db.batch(active());
  return webhook !== undefined;
}
