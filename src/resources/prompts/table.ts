import { collection } from '../../store/collection.ts';
import { entityTable, textField } from '../../store/columns.ts';
import { labels } from '../../store/naming.ts';
import { keepHoldouts } from '../holdouts/member.ts';
import type { Prompt } from './schema.ts';

export const promptTable = entityTable('prompts', {
  teamID: textField('teamID'),
});

export const prompts = collection<Prompt>({
  kind: 'prompt',
  title: 'Prompt',
  table: promptTable,
  references: labels,
  restored: keepHoldouts,
});
