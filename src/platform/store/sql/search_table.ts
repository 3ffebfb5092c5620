import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** An FTS5 table of a handwritten migration. `rowid` is a first revision's `seq`: only changed words write it. */
export const search = sqliteTable('search', {
  rowid: integer(),
  kind: text(),
  id: text(),
  name: text(),
  description: text(),
  tags: text(),
});
