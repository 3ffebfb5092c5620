import { text } from 'drizzle-orm/sqlite-core';
import { metricReferencesTo, referenceTo } from '../../base/naming.ts';
import { kind } from '../../model/define_kind.ts';
import { initialHoldouts, withCurrentHoldouts } from '../../model/membership.ts';
import { boolean, entityTable, json } from '../../platform/store/sql/columns.ts';
import { whileArchived } from '../rules/archive.ts';
import { ruleReferences } from '../rules/rules.ts';
import { editUnitOverrides } from '../rules/unit_overrides.ts';
import { gateCountsColumn } from './counted.ts';
import { withRuleTimes } from './gate.ts';
import { type Gate, gateStatuses, gateTypes } from './schema.ts';

export const gateTable = entityTable(
  'gates',
  {
    name: text().notNull(),
    description: text().notNull(),
    idType: text().notNull(),
    targetApps: json<Gate['targetApps']>(),
    holdoutIDs: json<Gate['holdoutIDs']>(),
    tags: json<Gate['tags']>(),
    status: text({ enum: gateStatuses }).notNull(),
    rules: json<Gate['rules']>(),
    type: text({ enum: gateTypes }).notNull(),
    team: text(),
    teamID: text(),
    reviewSettings: json<Gate['reviewSettings']>(),
    measureMetricLifts: boolean(),
    owner: json<Gate['owner']>(),
    monitoringMetrics: json<Gate['monitoringMetrics']>(),
    releasePipelineID: text(),
    salt: text(),
    overrides: json<Gate['overrides']>(),
    archivedFrom: text({ enum: gateStatuses }),
    archiveReason: text(),
    forceArchive: boolean(),
    ruleTimes: json<Gate['ruleTimes']>().default({}),
  },
  {
    filters: ['status', 'archivedFrom', 'type', 'idType', 'teamID', 'releasePipelineID'],
    visible: whileArchived.visible,
  },
);

export const gates = kind<Gate>({
  kind: 'gate',
  title: 'Gate',
  table: gateTable,
  stamped: ['ruleTimes'],
  list: {
    hidden: whileArchived,
    extraColumn: gateCountsColumn(gateTable),
    labels: ({ tags, targetApps, holdoutIDs }) => ({ tags, targetApps, holdoutIDs }),
    totals: [
      ['status', 'type', 'idType'],
      ['archivedFrom'],
      ['teamID'],
      ['team', 'teamID'],
      ['releasePipelineID'],
    ],
  },
  refs: {
    outgoing: (gate) => [
      ...ruleReferences(gate.rules),
      ...metricReferencesTo('monitoringMetrics', gate.monitoringMetrics),
      ...referenceTo('releasePipelineID', 'release_pipeline', gate.releasePipelineID),
    ],
    referable: (gate) => gate.status !== 'Archived' || gate.forceArchive,
  },
  normalizeRestored: withCurrentHoldouts,
  mergeOverrides: (gate) => editUnitOverrides(gate, 'replace', gate.overrides),
  unenforced: (before, { reviewSettings: { requiredReview } }) =>
    requiredReview && !before?.reviewSettings.requiredReview
      ? ['reviewSettings.requiredReview']
      : [],
  initialProperties: initialHoldouts('gate', 'gateIDs'),
  normalize: async (tx, before, wanted) => withRuleTimes(before, wanted, tx.author.time),
});
