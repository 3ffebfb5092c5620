import { ruleReferences } from '../../shared/rules.ts';
import { collection } from '../../store/collection.ts';
import { entityTable, textField } from '../../store/columns.ts';
import { labels, naming, namingMetrics } from '../../store/naming.ts';
import { keepHoldouts } from '../holdouts/member.ts';
import type { Gate } from './schema.ts';

export const gateTable = entityTable('gates', {
  status: textField('status'),
  type: textField('type'),
  idType: textField('idType'),
  teamID: textField('teamID'),
});

export const gates = collection<Gate>({
  kind: 'gate',
  title: 'Gate',
  table: gateTable,
  references: (gate) => [
    ...labels(gate),
    ...ruleReferences(gate.rules),
    ...namingMetrics('monitoringMetrics', gate.monitoringMetrics),
    ...naming('releasePipelineID', 'release_pipeline', gate.releasePipelineID),
  ],
  isReferable: (gate) => gate.status !== 'Archived' || gate.forceArchive,
  restored: keepHoldouts,
});
