import { and, asc, desc, eq, lte, sql } from 'drizzle-orm';
import { Problem } from '../../problem.ts';
import type { Database } from '../../store/database.ts';
import { type Order, type Page, type PageRequest, pageOf, reading } from '../../store/pages.ts';
import { compile, query, type Statement } from '../../store/statement.ts';
import { revisions } from '../../store/tables.ts';
import type { Reads } from '../../store/terms.ts';
import type { Delivery } from './schema.ts';
import { webhookDeliveries, webhookTable } from './table.ts';

const { id, webhookID, seq, status, attempts, nextTime, lastTime, lastError, createdTime } =
  webhookDeliveries;

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

const again = compile(
  query
    .update(webhookDeliveries)
    .set({ status: 'pending', attempts: 0, nextTime: sql`${sql.placeholder('now')}` })
    .where(eq(id, sql.placeholder('id'))),
);

/** The statement that sends a delivery anew. */
export const sendAgain = (delivery: string, now: number): Statement => again({ id: delivery, now });

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

const shown = {
  id: sql<string>`${id}`.as('id'),
  kind: revisions.kind,
  entityID: sql<string>`${revisions.id}`.as('entityID'),
  version: revisions.version,
  action: revisions.action,
  status,
  attempts,
  nextTime,
  lastTime,
  lastError,
  createdTime,
};

const newest: Order = {
  key: sql`${seq}`,
  keyFalls: true,
  positions: { key: 'number', id: 'number' },
};

/** A page of the deliveries of a webhook, newest first. */
export async function listDeliveries(
  tx: Reads,
  webhook: string,
  request: PageRequest,
): Promise<Page<Delivery>> {
  const { page, limit, position } = request;
  const { orderBy, beyond, values } = reading(newest, request);
  const own = eq(webhookID, webhook);
  const rows = query
    .select({ ...shown, seq: sql<number>`${seq}`.as('seq') })
    .from(webhookDeliveries)
    .innerJoin(revisions, eq(revisions.seq, seq))
    .where(and(own, beyond))
    .orderBy(...orderBy)
    .limit(limit + 1)
    .offset(position ? 0 : (page - 1) * limit);
  const total = query
    .select({ total: sql<number>`count(*)`.as('total') })
    .from(webhookDeliveries)
    .where(own);
  const exists = query
    .select({ id: webhookTable.id })
    .from(webhookTable)
    .where(eq(webhookTable.id, webhook));
  const [found, [counted], [there]] = await tx.read(
    compile(rows)(values),
    compile(total)(),
    compile(exists)(),
  );
  if (!there) throw new Problem('not_found', `There is no webhook with the id ${webhook}.`);
  const of = pageOf(request, found, counted?.total ?? 0, (row) => ({ key: row.seq, id: row.seq }));
  return { ...of, items: of.items.map(({ seq: _seq, ...delivery }) => delivery) };
}

const one = compile(
  query
    .select(shown)
    .from(webhookDeliveries)
    .innerJoin(revisions, eq(revisions.seq, seq))
    .where(and(eq(id, sql.placeholder('id')), eq(webhookID, sql.placeholder('webhook')))),
);

/** One delivery of a webhook; 404 where there is none. */
export async function findDelivery(
  tx: Reads,
  webhook: string,
  delivery: string,
): Promise<Delivery> {
  const [[found]] = await tx.read(one({ id: delivery, webhook }));
  if (found) return found;
  throw new Problem('not_found', `There is no delivery with the id ${delivery}.`);
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
