import { integer, text } from 'drizzle-orm/sqlite-core';
import { type Reference, referenceTo } from '../../base/naming.ts';
import { kind } from '../../model/define_kind.ts';
import { entityTable, json } from '../../platform/store/sql/columns.ts';
import { phaseReferences } from '../pipelines/table.ts';
import { ruleReferences } from '../rules/rules.ts';
import { isUnfinished } from './lifecycle.ts';
import { requireFinished, restoreTrigger } from './restoring.ts';
import { type Trigger, triggerStatuses } from './schema.ts';
import { applyRules } from './targets.ts';

export const triggerTable = entityTable(
  'release_pipeline_triggers',
  {
    releasePipelineID: text().notNull(),
    gateID: text().notNull(),
    dynamicConfigID: text().notNull(),
    configSnapshotID: text().notNull(),
    description: text().notNull(),
    status: text({ enum: triggerStatuses }).notNull(),
    currentPhase: text().notNull(),
    currentPhaseID: text().notNull(),
    currentPhaseEndTime: integer().notNull(),
    actions: json<Trigger['actions']>(),
    phases: json<Trigger['phases']>(),
    configSnapshot: json<Trigger['configSnapshot']>(),
    earlierPipelineID: text(),
    appliedPhaseID: text(),
    dueTime: integer(),
    remainingMs: integer(),
  },
  {
    filters: ['status', 'releasePipelineID', 'gateID', 'dynamicConfigID'],
    lookups: [['dueTime'], ['gateID', 'dueTime'], ['dynamicConfigID', 'dueTime']],
  },
);

function releaseReferences(trigger: Trigger): Reference[] {
  if (!isUnfinished(trigger)) return [];
  return [
    ...referenceTo('releasePipelineID', 'release_pipeline', trigger.releasePipelineID),
    ...referenceTo('gateID', 'gate', trigger.gateID),
    ...referenceTo('dynamicConfigID', 'dynamic_config', trigger.dynamicConfigID),
    ...phaseReferences(trigger.phases),
    ...ruleReferences(trigger.configSnapshot, 'configSnapshot'),
    ...referenceTo('earlierPipelineID', 'release_pipeline', trigger.earlierPipelineID),
  ];
}

export const triggers = kind<Trigger>({
  kind: 'release_pipeline_trigger',
  title: 'Release pipeline trigger',
  table: triggerTable,
  list: {
    totals: [['status'], ['releasePipelineID'], ['gateID'], ['dynamicConfigID']],
  },
  refs: {
    outgoing: releaseReferences,
  },
  normalizeRestored: restoreTrigger,
  async validate(tx, before, after) {
    if (before && !after) requireFinished(before);
    if (!before || !after || before.appliedPhaseID === after.appliedPhaseID) return;
    await applyRules(tx, after); // stages the rules of the new phase on the gate or dynamic config
  },
});
