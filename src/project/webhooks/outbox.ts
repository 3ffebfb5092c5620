import { asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { dayLength, minuteLength } from '../../base/time.ts';
import { shownColumns } from '../../platform/store/history/list.ts';
import type { Database } from '../../platform/store/sql/database.ts';
import { deleteInPieces, maxDeleted } from '../../platform/store/sql/deletions.ts';
import { constant, qualified, valuesIn } from '../../platform/store/sql/expressions.ts';
import { compileQuery, query, statement } from '../../platform/store/sql/statement.ts';
import { revisions } from '../../platform/store/sql/tables.ts';
import { webhookDeliveries, webhookTable } from './table.ts';

const { id, webhookID, seq, attempts, nextTime } = webhookDeliveries;

const now = sql.placeholder('now');

const until = sql.placeholder('until');

/** How long a claim lasts if its owner ends early, in milliseconds: longer than any run. */
const lease = minuteLength;

const most = 50;

export type Receiver = Pick<typeof webhookTable.$inferSelect, 'url' | 'secret'>;

export interface Due {
  id: string;
  webhookID: string;
  attempts: number;
  /** The end of the claim, in epoch milliseconds. Another claim would have changed it. */
  nextTime: number | null;
  receiver: Receiver;
  change: Record<string, unknown>;
}

/** Claims overdue deliveries, oldest first, and reads no others. As JSON, because SQLite has no lateral join. */
const claim = statement<{ id: string }>(sql`
  update webhook_deliveries set nextTime = ${until}
  where id in (
    select value
    from webhooks join json_each((
      select json_group_array(id) from (
        select id from webhook_deliveries
        where webhookID = webhooks.id and nextTime <= ${now}
        order by nextTime, seq
        limit ${constant(most)})))
    where webhooks.isActive = 1)
  returning id`);

const claimed = compileQuery(
  query
    .select({
      ...shownColumns, // receivers get the properties of the audit log
      url: webhookTable.url,
      secret: webhookTable.secret,
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
  sql`exists (
    select 1 from webhooks
    join webhook_deliveries on webhookID = webhooks.id and nextTime <= ${now}
    where isActive = 1)`;

/** Claims up to 50 overdue deliveries of each webhook, so that no other run sends them. `now` in epoch milliseconds. */
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

const release = statement(sql`
  update webhook_deliveries set nextTime = ${now}
  where id in (select value from json_each(${sql.placeholder('ids')})) and nextTime = ${until}`);

/** Returns claimed deliveries that were not sent to the next run. `now` in epoch milliseconds. */
export async function leaveForLater(
  db: Database,
  left: readonly Due[],
  now: number,
): Promise<void> {
  const [one] = left;
  if (!one) return;
  const ids = JSON.stringify(left.map((due) => due.id));
  await db.batch(release({ ids, now, until: one.nextTime }));
}

export type Note = Pick<
  typeof webhookDeliveries.$inferSelect,
  'status' | 'attempts' | 'nextTime' | 'lastTime' | 'lastError'
>;

const note = statement(sql`
  update webhook_deliveries
  set status = ${sql.placeholder('status')}, attempts = ${sql.placeholder('attempts')},
    nextTime = ${sql.placeholder('nextTime')}, lastTime = ${sql.placeholder('lastTime')},
    lastError = ${sql.placeholder('lastError')}
  where id = ${sql.placeholder('id')} and nextTime = ${until}`);

const receiverOf = statement<Receiver>(sql`
  select url, secret from webhooks where id = ${sql.placeholder('webhook')} and isActive = 1`);

/** Records an attempt, unless the delivery was reset meanwhile. Returns the receiver of the next one, if active. */
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

/** Oldest first, so that `nth` has no gaps. */
const purgeOld = statement(sql`
  delete from webhook_deliveries
  where id in (
    select id from webhook_deliveries where createdTime <= ${until}
    order by createdTime
    limit ${constant(maxDeleted)})`);

/** Deletes deliveries of deleted webhooks, found one by one: the audit log would return every deleted webhook. */
const ofDeletedWebhooks = sql`
  webhookID in (
    with recursive named (id) as (
      select min(webhookID) from webhook_deliveries
      union all
      select (select min(webhookID) from webhook_deliveries where webhookID > named.id)
      from named where id is not null)
    select id from named where id not in (select id from webhooks))`;

const purgeGone = statement(sql`
  delete from webhook_deliveries
  where id in (
    select id from webhook_deliveries
    where ${ofDeletedWebhooks}
    limit ${constant(maxDeleted)})`);

const kept = 30 * dayLength;

/** Whether any delivery is older than 30 days or of a deleted webhook. `now` in epoch milliseconds. */
export const hasOldDeliveries = (now: number): SQL =>
  sql`(exists (select 1 from webhook_deliveries where createdTime <= ${now - kept})
    or exists (select 1 from webhook_deliveries where ${ofDeletedWebhooks}))`;

/** Deletes deliveries that are older than 30 days or of deleted webhooks. `now` in epoch milliseconds. */
export async function purgeWebhookDeliveries(db: Database, now: number): Promise<void> {
  await deleteInPieces(db, purgeOld({ until: now - kept }), purgeGone());
}

const active = statement(sql`
  select id from webhooks where isActive = 1 order by id desc limit 1`);

/** Whether any webhook is active. */
export async function isAnyActive(db: Database): Promise<boolean> {
  const [[webhook]] = await db.batch(active());
  return webhook !== undefined;
}
