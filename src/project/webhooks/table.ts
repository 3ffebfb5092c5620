import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { kind } from '../../model/define_kind.ts';
import { boolean, entityTable, json } from '../../platform/store/sql/columns.ts';
import { expectListeners } from './listening.ts';
import { deliveryStatuses, type Webhook } from './schema.ts';

export const webhookTable = entityTable(
  'webhooks',
  {
    name: text().notNull(),
    url: text().notNull(),
    kinds: json<Webhook['kinds']>(),
    actions: json<Webhook['actions']>(),
    isActive: boolean(),
    secret: text().notNull(),
  },
  { lookups: [['isActive']] },
);

export const webhooks = kind<Webhook>({
  kind: 'webhook',
  title: 'Webhook',
  isAdministrative: true,
  table: webhookTable,
  redact: (webhook) => ({ ...webhook, secret: '<SECRET>' }),
  // An earlier secret may have leaked.
  normalizeRestored: (snapshot, current, last) => ({
    ...snapshot,
    secret: (current ?? last ?? snapshot).secret,
  }),
  validate: async (tx) => {
    tx.afterCommit.push(expectListeners);
  },
});

/** Deliveries, in epoch milliseconds. A trigger on `revisions` adds them, in the batch of the change. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: text().primaryKey(),
    webhookID: text().notNull(),
    seq: integer().notNull(),
    status: text({ enum: deliveryStatuses }).notNull(),
    attempts: integer().notNull(),
    nextTime: integer(),
    lastTime: integer(),
    lastError: text(),
    createdTime: integer().notNull(),
    /** The position in its webhook, from 1. Only the oldest are purged, so first and last give the count. */
    nth: integer().notNull().default(0),
  },
  (table) => [
    index('webhook_deliveries_webhook').on(table.webhookID, table.seq),
    // As in the migration: Drizzle's operators would qualify the column with the table.
    index('webhook_deliveries_due')
      .on(table.webhookID, table.nextTime, table.seq)
      .where(sql`nextTime is not null`),
    index('webhook_deliveries_created').on(table.createdTime),
  ],
);
