import { sql } from 'drizzle-orm';
import { ruleReferences } from '../../shared/rules.ts';
import { collection } from '../../store/collection.ts';
import { entityTable, textField } from '../../store/columns.ts';
import { labels } from '../../store/naming.ts';
import type { Segment } from './schema.ts';

export const segmentTable = entityTable('segments', {
  type: textField('type'),
});

export const segments = collection<Segment>({
  kind: 'segment',
  title: 'Segment',
  table: segmentTable,
  listed: sql`json_set(data, '$.ids', json('[]'), '$.count', json_array_length(data, '$.ids'))`,
  references: (segment) => [...labels(segment), ...ruleReferences(segment.rules)],
});
