import { text } from 'drizzle-orm/sqlite-core';
import type * as z from 'zod';
import { kind } from '../../model/define_kind.ts';
import type { Draft } from '../../platform/store/core/transaction.ts';
import { entityTable, json } from '../../platform/store/sql/columns.ts';
import type { AssignmentSource, assignmentSourceCreate } from './schema.ts';

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
  list: {
    labels: ({ tags }) => ({ tags }),
  },
});

/** Returns a new assignment source from a creation body. */
export const newAssignmentSource = (
  body: z.infer<typeof assignmentSourceCreate>,
): Draft<AssignmentSource> => ({
  description: '',
  tags: [],
  sql: '',
  timestampColumn: '',
  groupIDColumn: '',
  experimentIDColumn: '',
  idTypeMapping: [],
  ...body,
  id: body.name,
});
