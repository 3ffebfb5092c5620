import { and, asc, desc, eq, inArray, lte, notInArray, or, sql } from 'drizzle-orm';
import { dayLength } from '../../shared/durations.ts';
import type { Database } from '../../store/database.ts';
import {
  aliased,
  always,
  bound,
  eachOf,
  field,
  jsonList,
  unindexed,
  valuesIn,
} from '../../store/sqlite.ts';
import { compile, query } from '../../store/statement.ts';
import { revisions } from '../../store/tables.ts';
import { webhookDeliveries, webhooks, webhookTable } from './table.ts';

const { id, webhookID, seq, attempts, nextTime, createdTime } = webhookDeliveries;

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

/** What is due of one webhook, the oldest first, so that no more is read than is claimed. */
const dueOfOne = query
  .select({ id })
  .from(webhookDeliveries)
  .where(and(eq(webhookID, webhookTable.id), lte(nextTime, sql.placeholder('now'))))
  .orderBy(nextTime, seq)
  .limit(most);

/** What is due of each active webhook; as JSON, because SQLite joins no query that depends on the row beside it. */
const dueOfEach = query
  .select({ id: field<string>('value') })
  .from(webhookTable)
  .innerJoin(eachOf(jsonList(id, dueOfOne)), always)
  .where(eq(webhookTable.isActive, true));

const claim = compile(
  query
    .update(webhookDeliveries)
    .set({ nextTime: bound('until') })
    .where(inArray(id, dueOfEach))
    .returning({ id }),
);

const claimed = compile(
  query
    .select({
      id: aliased(id, 'id'),
      webhookID,
      attempts,
      url: webhookTable.url,
      secret: webhookTable.secret,
      kind: revisions.kind,
      entityID: aliased(revisions.id, 'entityID'),
      version: aliased(revisions.version, 'version'),
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
    .where(inArray(id, valuesIn(sql.placeholder('ids'))))
    .orderBy(asc(seq)),
);

/** Claims what is due, so that nobody else sends it meanwhile, up to fifty of each webhook. `now` in epoch milliseconds. */
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
      status: bound('status'),
      attempts: bound('attempts'),
      nextTime: bound('nextTime'),
      lastTime: bound('lastTime'),
      lastError: bound('lastError'),
    })
    .where(eq(id, sql.placeholder('id'))),
);

/** Notes what became of an attempt. */
export async function noteAttempt(db: Database, delivery: string, outcome: Note): Promise<void> {
  await db.batch(note({ id: delivery, ...outcome }));
}

/** The webhooks that are gone, as the log has them: to look for them among the deliveries would read each that is kept. */
const removed = query
  .select({ id: revisions.id })
  .from(revisions)
  .where(and(eq(revisions.kind, webhooks.kind), eq(unindexed(revisions.action), 'delete')));

const forgotten = compile(
  query
    .delete(webhookDeliveries)
    .where(
      or(
        lte(createdTime, sql.placeholder('until')),
        and(
          inArray(webhookID, removed),
          notInArray(webhookID, query.select({ id: webhookTable.id }).from(webhookTable)),
        ),
      ),
    ),
);

/** How long deliveries are listed, in milliseconds. */
const kept = 30 * dayLength;

/** Forgets deliveries of more than thirty days ago, and of webhooks that are gone. `now` in epoch milliseconds. */
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
