import { integer, real, text } from 'drizzle-orm/sqlite-core';
import { boolean, entityTable, json, type TableRow } from '../../platform/store/sql/columns.ts';
import { experimentStatuses } from './lifecycle_schema.ts';
import { confidences, type Experiment, experimentTypes } from './schema.ts';

export const experimentTable = entityTable(
  'experiments',
  {
    name: text().notNull(),
    description: text().notNull(),
    idType: text().notNull(),
    targetApps: json<Experiment['targetApps']>(),
    holdoutIDs: json<Experiment['holdoutIDs']>(),
    tags: json<Experiment['tags']>(),
    status: text({ enum: experimentStatuses }).notNull(),
    experimentType: text({ enum: experimentTypes }).notNull(),
    launchedGroupID: text(),
    scheduledStartTime: integer(),
    startTime: integer(),
    endTime: integer(),
    decisionTime: integer(),
    layerID: text(),
    teamID: text(),
    hypothesis: text().notNull(),
    primaryMetrics: json<Experiment['primaryMetrics']>(),
    secondaryMetrics: json<Experiment['secondaryMetrics']>(),
    primaryMetricTags: json<Experiment['primaryMetricTags']>(),
    secondaryMetricTags: json<Experiment['secondaryMetricTags']>(),
    groups: json<Experiment['groups']>(),
    controlGroupID: text().notNull(),
    allocation: real().notNull(),
    duration: integer().notNull(),
    targetingGateID: text().notNull(),
    inlineTargetingRulesJSON: text().notNull(),
    defaultConfidenceInterval: text({ enum: confidences }).notNull(),
    bonferroniCorrection: boolean(),
    decisionReason: text(),
    owner: json<Experiment['owner']>(),
    overrides: json<Experiment['overrides']>(),
    archivedFrom: text({ enum: experimentStatuses }),
    settings: json<TableRow<Experiment>['settings']>(),
  },
  {
    filters: ['status', 'experimentType', 'idType', 'layerID', 'teamID'],
    lookups: [['scheduledStartTime']],
  },
);
