import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { kind } from '../../store/core/define_kind.ts';
import { boolean, entityTable, json } from '../../store/sql/columns.ts';
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
  { sought: [['isActive']] },
);

export const webhooks = kind<Webhook>({
  kind: 'webhook',
  title: 'Webhook',
  isAdministrative: true,
  table: webhookTable,
  entails: async (tx) => {
    tx.afterwards.push(expectListeners);
  },
  // One that was replaced may have leaked.
  restored: (snapshot, current, last) => ({
    ...snapshot,
    secret: (current ?? last ?? snapshot).secret,
  }),
  concealed: (webhook) => ({ ...webhook, secret: '<SECRET>' }),
});

/**
 * What is to be told, and was: a trigger on `revisions` makes a row for each change that a webhook wants, in the batch of
 * the change. Times are epoch milliseconds.
 */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: text().primaryKey(),
    webhookID: text().notNull(),
    /** The change, by its number in the audit log. */
    seq: integer().notNull(),
    status: text({ enum: deliveryStatuses }).notNull(),
    attempts: integer().notNull(),
    /** When it is sent next; null once it is not. */
    nextTime: integer(),
    lastTime: integer(),
    lastError: text(),
    createdTime: integer().notNull(),
    /** Which of its webhook it is, from 1: what goes are the oldest, so that the ends tell how many there are. */
    nth: integer().notNull().default(0),
  },
  (table) => [
    index('webhook_deliveries_webhook').on(table.webhookID, table.seq),
    // As the migration has it: Drizzle's operators would put the table before the column.
    index('webhook_deliveries_due')
      .on(table.webhookID, table.nextTime, table.seq)
      .where(sql`nextTime is not null`),
    index('webhook_deliveries_created').on(table.createdTime),
  ],
);
