import { entityTable, numberField } from '../../store/columns.ts';

export const holdoutTable = entityTable('holdouts', {
  isGlobal: numberField('isGlobal'),
});
