import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { boolean, json } from './columns.ts';
import { holdJSON } from './expressions.ts';

/** A property and its two values; one that is absent on a side was not there. */
export interface PropertyChange {
  property: string;
  old?: unknown;
  new?: unknown;
}

/**
 * Every change ever made: history and audit log. Append-only (triggers refuse update and delete), so that the rows of
 * a kind, an action or an actor are numbered without gaps: the highest number is how many there are.
 */
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
    /** Epoch milliseconds; never before that of an earlier row, so that days are found by `seq`. */
    time: integer().notNull(),
    /** The request that made it; all revisions of one batch share it. */
    requestID: text().notNull(),
    /** The entity after the change; of a removal, the entity as it was. */
    snapshot: json<Record<string, unknown>>(),
    /** Why, in the words of whoever made it; null where they said nothing. */
    note: text(),
    /** What changed, property by property, without any secret. */
    changes: json<PropertyChange[]>(),
    /** Which one of its kind it is, from 1; likewise of its action and its actor. */
    nthOfKind: integer().notNull(),
    nthOfAction: integer().notNull(),
    nthOfActor: integer().notNull(),
  },
  (table) => [
    uniqueIndex('revisions_version').on(table.id, table.kind, table.version),
    index('revisions_kind').on(table.kind, table.nthOfKind),
    index('revisions_action').on(table.action, table.nthOfAction),
    index('revisions_actor').on(table.actorID, table.nthOfActor),
    check('revisions_json', holdJSON('snapshot', 'changes')),
  ],
);

/** The columns that number the rows of the log, all of them or those alike in one respect; from 1, without gaps. */
export type RowNumber = 'seq' | 'nthOfKind' | 'nthOfAction' | 'nthOfActor';

/** Under which names each actor may have changed something: a trigger on `revisions` adds those of each key. */
export const actors = sqliteTable(
  'actors',
  { name: text().notNull(), id: text().notNull() },
  (table) => [primaryKey({ columns: [table.name, table.id] }), index('actors_id').on(table.id)],
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

/** The values of which an entity has any number, such as its tags, in the order of a list. */
export const labels = sqliteTable(
  'labels',
  {
    /** The kind of the entity. */
    kind: text().notNull(),
    /** The property that holds them: `tags`. */
    label: text().notNull(),
    value: text().notNull(),
    /** Whether lists leave the entity out unless asked for it. */
    hidden: boolean(),
    /** That of the entity, in epoch milliseconds. */
    createdTime: integer().notNull(),
    id: text().notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.kind, table.label, table.value, table.hidden, table.createdTime, table.id],
    }),
  ],
);

/** How many entities of a kind there are with each combination of some properties. */
export const totals = sqliteTable(
  'totals',
  {
    kind: text().notNull(),
    /** The properties that are counted together, joined by commas. */
    facet: text().notNull(),
    /** Their values, in order; empty where there are fewer. */
    a: text().notNull(),
    b: text().notNull(),
    c: text().notNull(),
    count: integer().notNull(),
    /** How many of them lists leave out unless asked for. */
    hidden: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.facet, table.a, table.b, table.c] }),
    index('totals_b').on(table.kind, table.facet, table.b),
    index('totals_c').on(table.kind, table.facet, table.c),
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
    headers: json<Record<string, string>>(),
    body: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.keyID, table.idempotencyKey] }),
    index('replies_time').on(table.time),
  ],
);

/** Kinds whose derived rows are to be made again; the scheduler does it. */
export const pending = sqliteTable('pending', { kind: text().primaryKey() });

/** Always empty: a trigger takes back each batch that inserts here, for a reason. */
export const guard = sqliteTable('guard', { reason: text().primaryKey() });
