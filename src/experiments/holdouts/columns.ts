import { integer, real, text } from 'drizzle-orm/sqlite-core';
import { boolean, entityTable, json } from '../../platform/store/sql/columns.ts';
import type { Holdout } from './schema.ts';

export const holdoutTable = entityTable(
  'holdouts',
  {
    name: text().notNull(),
    description: text().notNull(),
    idType: text().notNull(),
    targetApps: json<Holdout['targetApps']>(),
    tags: json<Holdout['tags']>(),
    team: text().notNull(),
    isEnabled: boolean(),
    isGlobal: boolean(),
    passPercentage: real().notNull(),
    gateIDs: json<Holdout['gateIDs']>(),
    experimentIDs: json<Holdout['experimentIDs']>(),
    layerIDs: json<Holdout['layerIDs']>(),
    dynamicConfigIDs: json<Holdout['dynamicConfigIDs']>(),
    promptIDs: json<Holdout['promptIDs']>(),
    targetingGateID: text().notNull(),
    monitoringMetrics: json<Holdout['monitoringMetrics']>(),
    overrides: json<Holdout['overrides']>(),
    phaseTime: integer(),
  },
  { filters: ['isGlobal'] },
);
