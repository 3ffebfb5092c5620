import { text } from 'drizzle-orm/sqlite-core';
import { entityTable, json } from '../../store/columns.ts';
import { kind } from '../../store/kind.ts';
import type { AssignmentSource } from './schema.ts';

export const assignmentSourceTable = entityTable('assignment_sources', {
  name: text().notNull(),
  description: text().notNull(),
  tags: json<AssignmentSource['tags']>(),
  sql: text().notNull(),
  timestampColumn: text().notNull(),
  groupIDColumn: text().notNull(),
  experimentIDColumn: text().notNull(),
  idTypeMapping: json<AssignmentSource['idTypeMapping']>(),
});

export const assignmentSources = kind<AssignmentSource>({
  kind: 'assignment_source',
  title: 'Assignment source',
  table: assignmentSourceTable,
  labels: ({ tags }) => ({ tags }),
});
