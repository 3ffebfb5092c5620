import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * The words that lists search: an FTS5 table, which the first migration makes, since drizzle-kit knows none. `rowid` is
 * the `seq` of an entity's first revision, so that only a change of words writes it.
 */
export const search = sqliteTable('search', {
  rowid: integer(),
  kind: text(),
  id: text(),
  name: text(),
  description: text(),
  tags: text(),
});
