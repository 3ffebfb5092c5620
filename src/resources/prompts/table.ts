import { entityTable, textField } from '../../store/columns.ts';

export const promptTable = entityTable('prompts', {
  teamID: textField('teamID'),
});
