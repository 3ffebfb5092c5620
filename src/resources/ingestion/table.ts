import { collection } from '../../store/collection.ts';
import { entityTable, textField } from '../../store/columns.ts';
import type { IngestionSource } from './schema.ts';

export const ingestionSourceTable = entityTable('ingestion', {
  dataset: textField('dataset'),
  type: textField('type'),
});

export const ingestionSources = collection<IngestionSource>({
  kind: 'ingestion_source',
  title: 'Ingestion source',
  table: ingestionSourceTable,
});
