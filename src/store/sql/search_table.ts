import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * The words that lists search: an FTS5 table, created by the first migration, because drizzle-kit has no FTS5.
 * `rowid` is the `seq` of an entity's first revision, so that only a change of words writes it.
 */
export const search = sqliteTable('search', {
  rowid: integer(),
  kind: text(),
  id: text(),
  name: text(),
  description: text(),
  tags: text(),
});
