import { collection } from '../../store/collection.ts';
import { entityTable } from '../../store/columns.ts';
import { labels } from '../../store/naming.ts';
import type { AssignmentSource } from './schema.ts';

export const assignmentSourceTable = entityTable('assignment_sources', {});

export const assignmentSources = collection<AssignmentSource>({
  kind: 'assignment_source',
  title: 'Assignment source',
  table: assignmentSourceTable,
  references: labels,
});
