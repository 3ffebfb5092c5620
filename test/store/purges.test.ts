import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { purgeReplies } from '../../src/platform/http/idempotency.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { purgeWebhookDeliveries } from '../../src/project/webhooks/outbox.ts';
import { emptyDatabase } from '../support/database.ts';
import { makeWebhook } from '../support/factories.ts';
import { withBatches } from '../support/faults.ts';

const now = Date.now();
const numbers = (count: number) =>
  `with recursive n (n) as (select 1 union all select n + 1 from n where n < ${count})`;

/** Stores replies of long ago, and one of now. */
const replies = (count: number) =>
  env.DB.prepare(
    `insert into replies ${numbers(count + 1)}
     select 'key', n, '', '', iif(n > ${count}, ${now}, n), 200, '{}', '' from n`,
  ).run();

/** Stores deliveries of a webhook. */
const deliveries = (count: number, webhook: string, createdTime: number) =>
  env.DB.prepare(
    `insert into webhook_deliveries (id, webhookID, seq, status, attempts, createdTime, nth)
     ${numbers(count)} select ?1 || n, ?1, n, 'delivered', 1, ?2, n from n`,
  )
    .bind(webhook, createdTime)
    .run();

const left = async (table: string) =>
  (await env.DB.prepare(`select count(*) as count from ${table}`).first<{ count: number }>())
    ?.count;

/** Runs a purge; returns how many statements of each batch delete. */
async function deleting(purge: typeof purgeReplies): Promise<number[]> {
  const batches: number[] = [];
  const DB = withBatches(env.DB, async (session, statements) => {
    const results = await session.batch<never>(statements);
    for (const { meta } of results) expect(meta.changes).toBeLessThanOrEqual(5000);
    batches.push(results.filter(({ meta }) => meta.changes > 0).length);
    return results;
  });
  await purge(openDatabase(DB, 'first-primary'), now);
  return batches;
}

beforeEach(emptyDatabase);

describe('a purge', () => {
  test('of replies deletes 5,000 rows a statement', async () => {
    await replies(12_000);
    expect(await deleting(purgeReplies)).toEqual([1, 1, 1]);
    expect(await left('replies')).toBe(1);
  });

  test('leaves what ten statements did not delete to the next run', async () => {
    await replies(52_000);
    expect(await deleting(purgeReplies)).toEqual(Array(10).fill(1));
    expect(await left('replies')).toBe(2001);
    expect(await deleting(purgeReplies)).toEqual([1]);
    expect(await left('replies')).toBe(1);
  });

  test('of deliveries deletes old ones and those of removed webhooks in pieces', async () => {
    const { id } = await makeWebhook({ isActive: false });
    await deliveries(7000, 'removed', now);
    await deliveries(11_000, id, 0);
    expect(await deleting(purgeWebhookDeliveries)).toEqual([2, 2, 1]);
    expect(await left('webhook_deliveries')).toBe(0);
  });

  test('reads a few rows where nothing is due', async () => {
    await replies(0);
    const db = openDatabase(env.DB, 'first-primary');
    await purgeReplies(db, now);
    expect(db.meter).toMatchObject({ trips: 1, rowsWritten: 0 });
    expect(db.meter.rowsRead).toBeLessThanOrEqual(3);
  });
});
