import { entityTable, textField } from '../../store/columns.ts';

export const ingestionSourceTable = entityTable('ingestion', {
  dataset: textField('dataset'),
  type: textField('type'),
});
