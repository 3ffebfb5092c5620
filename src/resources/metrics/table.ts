import { entityTable, textField } from '../../store/columns.ts';

export const metricTable = entityTable('metrics', {
  type: textField('type'),
});
