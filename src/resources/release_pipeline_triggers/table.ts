import { ruleReferences } from '../../shared/rules.ts';
import { collection } from '../../store/collection.ts';
import { entityTable, textField } from '../../store/columns.ts';
import { naming, type Reference } from '../../store/naming.ts';
import { phaseReferences } from '../release_pipelines/table.ts';
import { isUnfinished, restoreTrigger } from './lifecycle.ts';
import type { Trigger } from './schema.ts';
import { targetOf } from './targets.ts';

export const triggerTable = entityTable('release_pipeline_triggers', {
  releasePipelineID: textField('releasePipelineID'),
  gateID: textField('gateID'),
  dynamicConfigID: textField('dynamicConfigID'),
  status: textField('status'),
});

/** All that a trigger may still need, the rules before and the phases to come among it; nothing once it is finished. */
function references(trigger: Trigger): Reference[] {
  if (!isUnfinished(trigger)) return [];
  return [
    ...naming('releasePipelineID', 'release_pipeline', trigger.releasePipelineID),
    ...naming('gateID', 'gate', trigger.gateID),
    ...naming('dynamicConfigID', 'dynamic_config', trigger.dynamicConfigID),
    ...phaseReferences(trigger.phases),
    ...ruleReferences(trigger.configSnapshot, 'configSnapshot'),
  ];
}

export const triggers = collection<Trigger>({
  kind: 'release_pipeline_trigger',
  title: 'Release pipeline trigger',
  table: triggerTable,
  references,
  restored: restoreTrigger,
  async entails(tx, before, after) {
    if (!after || before?.appliedPhaseID === after.appliedPhaseID) return;
    const { target, id } = targetOf(after);
    await target.put(tx, id, after);
  },
});
