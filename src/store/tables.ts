import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import type { Entity } from './columns.ts';

/** Every change ever made: history and audit log. Append-only: triggers refuse update and delete. */
export const revisions = sqliteTable(
  'revisions',
  {
    /** Dense and rising: the audit log's order. */
    seq: integer().primaryKey(),
    kind: text().notNull(),
    id: text().notNull(),
    version: integer().notNull(),
    action: text().notNull(),
    actorID: text().notNull(),
    actorName: text().notNull(),
    /** Epoch milliseconds. */
    time: integer().notNull(),
    /** The request that made it; all revisions of one batch share it. */
    requestID: text().notNull(),
    /** The entity after the change; of a removal, the entity as it was. */
    snapshot: text({ mode: 'json' }).$type<Entity>().notNull(),
  },
  (table) => [
    uniqueIndex('revisions_version').on(table.kind, table.id, table.version),
    index('revisions_request').on(table.requestID),
    check('revisions_json', sql`json_valid(snapshot)`),
  ],
);

/** What can be referred to: each entity that is not archived, and its named parts. */
export const anchors = sqliteTable(
  'anchors',
  { kind: text().notNull(), id: text().notNull() },
  (table) => [primaryKey({ columns: [table.kind, table.id] })],
);

/** Who refers to whom. Triggers refuse a reference to no anchor, and the removal of an anchor in use. */
export const refs = sqliteTable(
  'refs',
  {
    toKind: text().notNull(),
    toID: text().notNull(),
    fromKind: text().notNull(),
    fromID: text().notNull(),
    /** The top-level property that holds the reference. */
    field: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.toKind, table.toID, table.fromKind, table.fromID, table.field] }),
  ],
);

/** First answers to requests with an Idempotency-Key, kept for 24 hours. */
export const replies = sqliteTable(
  'replies',
  {
    keyID: text().notNull(),
    idempotencyKey: text().notNull(),
    fingerprint: text().notNull(),
    requestID: text().notNull(),
    /** Epoch milliseconds. */
    time: integer().notNull(),
    status: integer().notNull(),
    headers: text({ mode: 'json' }).$type<Record<string, string>>().notNull(),
    body: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.keyID, table.idempotencyKey] }),
    index('replies_time').on(table.time),
  ],
);
