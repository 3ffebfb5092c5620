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

/** A property with both values; a value that did not exist is absent. */
export interface PropertyChange {
  property: string;
  old?: unknown;
  new?: unknown;
}

/** History and audit log. Triggers refuse updates and deletes, so numbers have no gaps and the highest is the count. */
export const revisions = sqliteTable(
  'revisions',
  {
    seq: integer().primaryKey(),
    kind: text().notNull(),
    id: text().notNull(),
    version: integer().notNull(),
    action: text().notNull(),
    actorID: text().notNull(),
    actorName: text().notNull(),
    /** Epoch milliseconds; never before an earlier row, so that days are found by `seq`. */
    time: integer().notNull(),
    /** Shared by all revisions of one batch. */
    requestID: text().notNull(),
    /** The entity after the change; for a removal, the entity before it. */
    snapshot: json<Record<string, unknown>>(),
    note: text(),
    changes: json<PropertyChange[]>(),
    /** Its number within the kind, from 1; likewise within its action and its actor. */
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

/** The columns that number rows from 1 without gaps: all rows, or the rows of one kind, action or actor. */
export type RowNumber = 'seq' | 'nthOfKind' | 'nthOfAction' | 'nthOfActor';

/** The names of each actor; a trigger on `revisions` adds them. */
export const actors = sqliteTable(
  'actors',
  { name: text().notNull(), id: text().notNull() },
  (table) => [primaryKey({ columns: [table.name, table.id] }), index('actors_id').on(table.id)],
);

/** The possible targets of references: entities that are not archived, and their named parts. */
export const anchors = sqliteTable(
  'anchors',
  { kind: text().notNull(), id: text().notNull() },
  (table) => [primaryKey({ columns: [table.kind, table.id] })],
);

/** References. Triggers refuse a reference without an anchor, and the removal of an anchor in use. */
export const refs = sqliteTable(
  'refs',
  {
    toKind: text().notNull(),
    toID: text().notNull(),
    fromKind: text().notNull(),
    fromID: text().notNull(),
    /** The top-level property with the reference. */
    field: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.toKind, table.toID, table.fromKind, table.fromID, table.field] }),
  ],
);

/** The values of multi-valued properties such as tags, in the order of a list. */
export const labels = sqliteTable(
  'labels',
  {
    kind: text().notNull(),
    label: text().notNull(),
    value: text().notNull(),
    hidden: boolean(),
    createdTime: integer().notNull(),
    id: text().notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.kind, table.label, table.value, table.hidden, table.createdTime, table.id],
    }),
  ],
);

/** The number of entities of a kind for each combination of some properties. */
export const totals = sqliteTable(
  'totals',
  {
    kind: text().notNull(),
    /** The counted properties, joined by commas. */
    facet: text().notNull(),
    /** The values, in order; empty if there are fewer. */
    a: text().notNull(),
    b: text().notNull(),
    c: text().notNull(),
    count: integer().notNull(),
    hidden: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.facet, table.a, table.b, table.c] }),
    index('totals_b').on(table.kind, table.facet, table.b),
    index('totals_c').on(table.kind, table.facet, table.c),
  ],
);

/** First responses to requests with an `Idempotency-Key`, kept for 24 hours. */
export const replies = sqliteTable(
  'replies',
  {
    keyID: text().notNull(),
    idempotencyKey: text().notNull(),
    fingerprint: text().notNull(),
    requestID: text().notNull(),
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

export const pending = sqliteTable('pending', { kind: text().primaryKey() });

/** Times are epoch milliseconds. */
export const jobClaims = sqliteTable('job_claims', {
  job: text().primaryKey(),
  /** The end of the lease of the run under way; 0 if the last run has ended. */
  leaseEnd: integer().notNull(),
  nextTime: integer().notNull(),
});

/** Always empty: a trigger rolls back each batch that inserts here. */
export const guard = sqliteTable('guard', { reason: text().primaryKey() });
