import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm';
import { Problem } from '../../base/problem.ts';
import { missing } from '../../platform/store/core/define_kind.ts';
import { newestBy, type Page, type PageRequest, pageOf } from '../../platform/store/core/page.ts';
import { pageRows } from '../../platform/store/core/page_query.ts';
import type { Reads } from '../../platform/store/core/reads.ts';
import { rowOfEntity } from '../../platform/store/entities/queries.ts';
import { qualified } from '../../platform/store/sql/expressions.ts';
import {
  compileQuery,
  once,
  query,
  type Statement,
  statement,
} from '../../platform/store/sql/statement.ts';
import { revisions } from '../../platform/store/sql/tables.ts';
import type { Delivery } from './schema.ts';
import { webhookDeliveries, webhooks } from './table.ts';

const { id, webhookID, seq, status, attempts, nextTime, lastTime, lastError, createdTime, nth } =
  webhookDeliveries;

const columns = {
  id: qualified(id).as('id'),
  kind: revisions.kind,
  entityID: qualified(revisions.id).as('entityID'),
  version: revisions.version,
  action: revisions.action,
  status,
  attempts,
  nextTime,
  lastTime,
  lastError,
  createdTime,
};

/** Reads a page of the deliveries of a webhook, newest first. */
export async function listDeliveries(
  tx: Reads,
  webhook: string,
  request: PageRequest,
): Promise<Page<Delivery>> {
  const own = eq(webhookID, webhook);
  const rows = pageRows(newestBy(seq), request, (beyond) =>
    query
      .select({ ...columns, seq: qualified(seq).as('seq') })
      .from(webhookDeliveries)
      .innerJoin(revisions, eq(revisions.seq, seq))
      .where(and(own, beyond)),
  );
  const first = (order: SQL) =>
    once(query.select({ nth }).from(webhookDeliveries).where(own).orderBy(order).limit(1));
  const [found, [oldest], [newest], [there]] = await tx.read(
    rows,
    first(asc(seq)),
    first(desc(seq)),
    rowOfEntity(webhooks, webhook),
  );
  if (!there) throw missing(webhooks.title, webhook);
  const total = oldest && newest ? newest.nth - oldest.nth + 1 : 0;
  const of = pageOf(request, found, total, (row) => ({ key: row.seq, id: row.seq }));
  return { ...of, items: of.items.map(({ seq: _seq, ...delivery }) => delivery) };
}

const one = compileQuery(
  query
    .select(columns)
    .from(webhookDeliveries)
    .innerJoin(revisions, eq(revisions.seq, seq))
    .where(and(eq(id, sql.placeholder('id')), eq(webhookID, sql.placeholder('webhook')))),
);

/** Reads one delivery of a webhook. @throws Problem 404 */
export async function findDelivery(
  tx: Reads,
  webhook: string,
  delivery: string,
): Promise<Delivery> {
  const [[found]] = await tx.read(one({ id: delivery, webhook }));
  if (found) return found;
  throw new Problem('not_found', `There is no delivery with the id ${delivery}.`);
}

const resendStatement = statement(sql`
  update webhook_deliveries
  set status = 'pending', attempts = 0, nextTime = ${sql.placeholder('now')}
  where id = ${sql.placeholder('id')}`);

export const sendAgain = (delivery: string, now: number): Statement =>
  resendStatement({ id: delivery, now });
