import { text } from 'drizzle-orm/sqlite-core';
import type * as z from 'zod';
import { nameKind } from '../../model/define_kind.ts';
import { boolean, entityTable } from '../../platform/store/sql/columns.ts';
import type { Tag, tagCreate } from './schema.ts';

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

export const newTag = ({ name, ...given }: z.infer<typeof tagCreate>) => ({
  id: name,
  name,
  description: '',
  isCore: false,
  ...given,
});
