import { entityTable, textField } from '../../store/columns.ts';

export const triggerTable = entityTable('release_pipeline_triggers', {
  releasePipelineID: textField('releasePipelineID'),
  gateID: textField('gateID'),
  dynamicConfigID: textField('dynamicConfigID'),
  status: textField('status'),
});
