import { entityTable, textField } from '../../store/columns.ts';

export const segmentTable = entityTable('segments', {
  type: textField('type'),
});
