import { text } from 'drizzle-orm/sqlite-core';
import { boolean, entityTable, json } from '../../store/columns.ts';
import { kind } from '../../store/kind.ts';
import { datasets, type IngestionSource, sourceTypes } from './schema.ts';

export const ingestionSourceTable = entityTable(
  'ingestion',
  {
    dataset: text({ enum: datasets }).notNull(),
    type: text({ enum: sourceTypes }).notNull(),
    column_mapping: json<IngestionSource['column_mapping']>(),
    source_name: text().notNull(),
    query: text().notNull(),
    share: text().notNull(),
    schema: text().notNull(),
    table: text().notNull(),
    enabled: boolean(),
  },
  { filters: ['dataset', 'type'] },
);

export const ingestionSources = kind<IngestionSource>({
  kind: 'ingestion_source',
  title: 'Ingestion source',
  table: ingestionSourceTable,
  totals: [['dataset', 'type']],
});
