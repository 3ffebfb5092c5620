import { text } from 'drizzle-orm/sqlite-core';
import { referenceTo } from '../../base/naming.ts';
import { kind } from '../../model/define_kind.ts';
import { initialHoldouts, withCurrentHoldouts } from '../../model/membership.ts';
import { entityTable, json } from '../../platform/store/sql/columns.ts';
import { whileArchived } from '../rules/archive.ts';
import { oneNamespace } from '../rules/namespace.ts';
import { ruleReferences } from '../rules/rules.ts';
import { valueParts } from '../rules/value_parts.ts';
import { type DynamicConfig, dynamicConfigStatuses } from './schema.ts';
import { valueCases } from './values.ts';

export const dynamicConfigTable = entityTable(
  'dynamic_configs',
  {
    name: text().notNull(),
    description: text().notNull(),
    idType: text().notNull(),
    targetApps: json<DynamicConfig['targetApps']>(),
    holdoutIDs: json<DynamicConfig['holdoutIDs']>(),
    tags: json<DynamicConfig['tags']>(),
    team: text().notNull(),
    teamID: text(),
    status: text({ enum: dynamicConfigStatuses }).notNull(),
    rules: json<DynamicConfig['rules']>(),
    defaultValue: json<DynamicConfig['defaultValue']>(),
    defaultValueJson5: text().notNull(),
    schema: text().notNull(),
    schemaJson5: text().notNull(),
    releasePipelineID: text(),
    archivedFrom: text({ enum: dynamicConfigStatuses }),
  },
  {
    filters: ['releasePipelineID', 'status', 'archivedFrom', 'teamID'],
    visible: whileArchived.visible,
  },
);

export const dynamicConfigs = kind<DynamicConfig>({
  kind: 'dynamic_config',
  title: 'Dynamic config',
  table: dynamicConfigTable,
  list: {
    hidden: whileArchived,
    labels: ({ tags, targetApps }) => ({ tags, targetApps }),
    totals: [
      ['status', 'idType'],
      ['archivedFrom'],
      ['teamID'],
      ['team', 'teamID'],
      ['releasePipelineID'],
    ],
  },
  refs: {
    outgoing: (config) => [
      ...ruleReferences(config.rules),
      ...referenceTo('releasePipelineID', 'release_pipeline', config.releasePipelineID),
    ],
    referable: ({ status }) => status !== 'Archived',
    parts: (config) => valueParts('dynamic_config', config.id, valueCases(config)),
    idsSharedWith: oneNamespace,
  },
  normalizeRestored: withCurrentHoldouts,
  initialProperties: initialHoldouts('dynamic_config', 'dynamicConfigIDs'),
});
