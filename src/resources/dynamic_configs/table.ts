import { entityTable, numberField, textField } from '../../store/columns.ts';

export const dynamicConfigTable = entityTable('dynamic_configs', {
  isEnabled: numberField('isEnabled'),
  status: textField('status'),
  teamID: textField('teamID'),
  releasePipelineID: textField('releasePipelineID'),
});
