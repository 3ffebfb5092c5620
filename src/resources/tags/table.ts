import { text } from 'drizzle-orm/sqlite-core';
import { boolean, entityTable } from '../../store/columns.ts';
import { nameKind } from '../../store/kind.ts';
import type { Tag } from './schema.ts';

export const tagTable = entityTable('tags', {
  name: text().notNull(),
  description: text().notNull(),
  isCore: boolean(),
});

export const tags = nameKind<Tag>({
  kind: 'tag',
  title: 'Tag',
  table: tagTable,
  idOf: ({ name }) => name,
});
