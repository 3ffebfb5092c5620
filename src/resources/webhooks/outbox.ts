import { asc, desc, eq, lte, sql } from 'drizzle-orm';
import type { Database } from '../../store/database.ts';
import { compile, query } from '../../store/statement.ts';
import { revisions } from '../../store/tables.ts';
import { webhookDeliveries, webhookTable } from './table.ts';

const { id, webhookID, seq, attempts, createdTime } = webhookDeliveries;

/** How long the rest of a claim is left alone, in milliseconds: longer than any attempt takes. */
const lease = 60_000;

/** How many deliveries of one webhook are claimed at once. */
const most = 50;

/** A delivery that is to be sent, with the change that it tells of. */
export interface Due {
  id: string;
  webhookID: string;
  attempts: number;
  url: string;
  secret: string;
  change: Record<string, unknown>;
}

const claim = compile(
  query
    .update(webhookDeliveries)
    .set({ nextTime: sql`${sql.placeholder('until')}` })
    .where(
      sql`id in (select id from (
        select ${id} as id, row_number() over (partition by webhookID order by nextTime, seq) as place
        from ${webhookDeliveries} join ${webhookTable} on ${webhookTable.id} = webhookID and isActive = 1
        where nextTime <= ${sql.placeholder('now')}) where place <= ${most})`,
    )
    .returning({ id }),
);

const claimed = compile(
  query
    .select({
      id: sql<string>`${id}`.as('id'),
      webhookID,
      attempts,
      url: webhookTable.url,
      secret: webhookTable.secret,
      kind: revisions.kind,
      entityID: sql<string>`${revisions.id}`.as('entityID'),
      version: sql<number>`${revisions.version}`.as('version'),
      action: revisions.action,
      actorID: revisions.actorID,
      actorName: revisions.actorName,
      time: revisions.time,
      requestID: revisions.requestID,
      changes: revisions.changes,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookTable, eq(webhookTable.id, webhookID))
    .innerJoin(revisions, eq(revisions.seq, seq))
    .where(sql`${id} in (select value from json_each(${sql.placeholder('ids')}))`)
    .orderBy(asc(seq)),
);

/** Claims what is due, so that nobody else sends it meanwhile, up to fifty of each webhook. */
export async function claimDue(db: Database, now: number): Promise<Due[]> {
  const [ids] = await db.batch(claim({ now, until: now + lease }));
  if (ids.length === 0) return [];
  const [rows] = await db.batch(claimed({ ids: JSON.stringify(ids.map((row) => row.id)) }));
  return rows.map(({ id, webhookID, attempts, url, secret, entityID, ...change }) => ({
    id,
    webhookID,
    attempts,
    url,
    secret,
    change: { ...change, id: entityID },
  }));
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
      status: sql`${sql.placeholder('status')}`,
      attempts: sql`${sql.placeholder('attempts')}`,
      nextTime: sql`${sql.placeholder('nextTime')}`,
      lastTime: sql`${sql.placeholder('lastTime')}`,
      lastError: sql`${sql.placeholder('lastError')}`,
    })
    .where(eq(id, sql.placeholder('id'))),
);

/** Notes what became of an attempt. */
export async function noteAttempt(db: Database, delivery: string, outcome: Note): Promise<void> {
  await db.batch(note({ id: delivery, ...outcome }));
}

const forgotten = compile(
  query
    .delete(webhookDeliveries)
    .where(
      sql`${lte(createdTime, sql.placeholder('until'))} or webhookID not in (select id from ${webhookTable})`,
    ),
);

/** How long deliveries are listed, in milliseconds. */
const kept = 30 * 24 * 60 * 60 * 1000;

/** Forgets deliveries of more than thirty days ago, and of webhooks that are gone. */
export async function purgeWebhookDeliveries(db: Database, now: number): Promise<void> {
  await db.batch(forgotten({ until: now - kept }));
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
