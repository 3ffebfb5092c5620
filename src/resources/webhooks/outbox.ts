import { and, asc, desc, eq, inArray, lte, type SQL, sql } from 'drizzle-orm';
import { dayLength } from '../../shared/durations.ts';
import { shownColumns } from '../../store/history/list.ts';
import type { Database } from '../../store/sql/database.ts';
import { deleteInPieces, mostDeleted } from '../../store/sql/deletions.ts';
import {
  always,
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

/** How long a claim is left alone, in milliseconds, where who made it ends before its time: longer than any run takes. */
const lease = 60_000;

/** How many deliveries of one webhook are claimed at once. */
const most = 50;

/** Where deliveries of a webhook go, and its sealed secret. */
export type Receiver = Pick<typeof webhookTable.$inferSelect, 'url' | 'secret'>;

/** A delivery that is to be sent, with the change that it tells of. */
export interface Due {
  id: string;
  webhookID: string;
  attempts: number;
  /** Until when it is claimed, in epoch milliseconds; nobody has claimed it since as long as that stands in its row. */
  nextTime: number | null;
  receiver: Receiver;
  change: Record<string, unknown>;
}

/** What is due of one webhook, the oldest first, so that no more is read than is claimed. */
const dueOfOne = query
  .select({ id })
  .from(webhookDeliveries)
  .where(and(eq(webhookID, webhookTable.id), lte(nextTime, sql.placeholder('now'))))
  .orderBy(nextTime, seq)
  .limit(most)
  .as('due');

const idsOfOne = query.select({ ids: jsonList(dueOfOne.id).as('ids') }).from(dueOfOne);

/** What is due of each active webhook; as JSON, because SQLite joins no query that depends on the row beside it. */
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

/** Claims what is due, so that nobody else sends it meanwhile, up to fifty of each webhook. `now` in epoch milliseconds. */
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

/** Leaves what was claimed, and not sent, to the next run. `now` in epoch milliseconds. */
export async function leave(db: Database, left: readonly Due[], now: number): Promise<void> {
  const [one] = left;
  if (!one) return;
  const ids = JSON.stringify(left.map((due) => due.id));
  await db.batch(release({ ids, now, until: one.nextTime }));
}

/** What is noted of an attempt. */
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
 * Notes what became of an attempt, unless it was to be sent anew meanwhile; answers where the next delivery of its webhook
 * goes, if that is still to be told of anything.
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
 * The webhooks that are gone, of those that have deliveries: each is found behind the one before, for which Drizzle's
 * builder has no recursion. The log would tell of all that were ever removed.
 */
const gone = sql`(with recursive told (id) as (
  select min(${webhookID}) from ${webhookDeliveries} union all
  select (select min(${webhookID}) from ${webhookDeliveries} where ${webhookID} > told.id) from told where id is not null)
  select id from told where id not in (select id from ${webhookTable}))`;

const idsWhere = (what: SQL) => query.select({ id }).from(webhookDeliveries).where(what);

/** Each deletes as many as one statement may; of the old ones the oldest, so that `nth` has no gaps. */
const forgotten = [
  idsWhere(lte(createdTime, sql.placeholder('until')))
    .orderBy(createdTime)
    .limit(mostDeleted),
  idsWhere(inArray(webhookID, gone)).limit(mostDeleted),
].map((ids) => compile(query.delete(webhookDeliveries).where(inArray(id, ids))));

/** How long deliveries are listed, in milliseconds. */
const kept = 30 * dayLength;

/** Forgets deliveries of more than thirty days ago, and of webhooks that are gone. `now` in epoch milliseconds. */
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

/** Whether anybody is to be told of anything. */
export async function isAnyActive(db: Database): Promise<boolean> {
  const [[webhook]] = await db.batch(active());
  return webhook !== undefined;
}
