import { ruleReferences } from '../../shared/rules.ts';
import { collection } from '../../store/collection.ts';
import { entityTable, textField } from '../../store/columns.ts';
import { labels, naming, partID } from '../../store/naming.ts';
import { keepHoldouts } from '../holdouts/member.ts';
import type { DynamicConfig } from './schema.ts';

export const dynamicConfigTable = entityTable('dynamic_configs', {
  status: textField('status'),
  teamID: textField('teamID'),
  releasePipelineID: textField('releasePipelineID'),
});

export const dynamicConfigs = collection<DynamicConfig>({
  kind: 'dynamic_config',
  title: 'Dynamic config',
  table: dynamicConfigTable,
  references: (config) => [
    ...labels(config),
    ...ruleReferences(config.rules),
    ...naming('releasePipelineID', 'release_pipeline', config.releasePipelineID),
  ],
  isReferable: ({ status }) => status !== 'Archived',
  restored: keepHoldouts,
  parts: ({ id, defaultValue }) =>
    Object.keys(defaultValue).map((key) => ({
      kind: 'dynamic_config_parameter',
      id: partID(id, key),
    })),
});
