import { integer, real, text } from 'drizzle-orm/sqlite-core';
import {
  metricID,
  metricReferencesTo,
  partID,
  type Reference,
  referenceTo,
} from '../../base/naming.ts';
import { inlineRules } from '../../engine/evaluation/compile/inline_rules.ts';
import { oneNamespace } from '../../flags/rules/namespace.ts';
import { type Rule, ruleReferences } from '../../flags/rules/rules.ts';
import { valueParts } from '../../flags/rules/value_parts.ts';
import { kind } from '../../model/define_kind.ts';
import { onLayer, parameterFor } from '../../model/layer_anchors.ts';
import { initialHoldouts } from '../../model/membership.ts';
import type { HookedKind } from '../../platform/store/core/hooks.ts';
import { boolean, entityTable, json, type TableRow } from '../../platform/store/sql/columns.ts';
import { decideAnalysis } from '../starts/deciding.ts';
import { openAnalyses } from '../starts/opening.ts';
import { removeLater } from '../starts/removing.ts';
import { confidences } from '../starts/settings_schema.ts';
import { startOf } from './analysis.ts';
import { healthColumn } from './checks/health.ts';
import { restoreExperiment } from './experiment.ts';
import { withBuckets } from './lifecycle/allocation.ts';
import { editExperimentOverrides } from './overrides.ts';
import { experimentStatuses } from './schema/lifecycle.ts';
import { type Experiment, experimentTypes } from './schema.ts';

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

function layerParameters({ layerID, groups }: Experiment): Reference[] {
  if (!layerID) return [];
  return groups.flatMap(({ parameterValues }, index) =>
    Object.entries(parameterValues).map(([parameter, value]) => ({
      ...parameterFor(layerID, parameter, value),
      property: `groups.${index}.parameterValues.${parameter}`,
    })),
  );
}

const plannedReferences = (property: string, lines: readonly { metricID: string }[]): Reference[] =>
  lines.map(({ metricID: id }, index) => ({
    kind: 'metric',
    id,
    property: `${property}.${index}.metricID`,
  }));

function metricReferences(experiment: Experiment): Reference[] {
  const { otherMetrics, bayesianPriors, cureCovariates, stratifiedSampling } = experiment;
  const { decisionRule = [], smallestChanges = [] } = experiment;
  const { metric: stratificationMetric } = stratifiedSampling ?? {};
  return [
    ...metricReferencesTo('primaryMetrics', experiment.primaryMetrics),
    ...metricReferencesTo('secondaryMetrics', experiment.secondaryMetrics),
    ...metricReferencesTo('otherMetrics', otherMetrics ?? []),
    ...(bayesianPriors ?? []).flatMap(({ metric }, index) =>
      referenceTo(`bayesianPriors.${index}.metric`, 'metric', metricID(metric)),
    ),
    ...metricReferencesTo('cureCovariates', cureCovariates ?? []),
    ...plannedReferences('decisionRule', decisionRule),
    ...plannedReferences('smallestChanges', smallestChanges),
    ...referenceTo(
      'stratifiedSampling.metric',
      'metric',
      stratificationMetric && metricID(stratificationMetric),
    ),
  ];
}

export const experiments: HookedKind<Experiment> = kind({
  kind: 'experiment',
  title: 'Experiment',
  table: experimentTable,
  list: {
    extraColumn: healthColumn(experimentTable),
    labels: ({ tags, targetApps }) => ({ tags, targetApps }),
    totals: [['status', 'experimentType', 'idType'], ['layerID'], ['teamID'], ['team', 'teamID']],
  },
  refs: {
    outgoing: (experiment) => [
      ...referenceTo('targetingGateID', 'gate', experiment.targetingGateID),
      ...referenceTo('layerID', 'layer', experiment.layerID),
      ...referenceTo('assignmentSourceName', 'assignment_source', experiment.assignmentSourceName),
      ...metricReferences(experiment),
      ...ruleReferences(inlineRules<Rule>(experiment), 'inlineTargetingRulesJSON'),
      ...experiment.overrides.overrides.map(({ type, id }, index) => ({
        kind: type,
        id,
        property: `overrides.${index}.id`,
      })),
      ...layerParameters(experiment),
    ],
    referable: ({ status }) => status !== 'archived',
    parts: ({ id, layerID, groups }) => [
      ...(layerID ? [onLayer(layerID, id)] : []),
      ...groups.map(({ name }) => ({ kind: 'experiment_group', id: partID(id, name) })),
      ...valueParts(
        'experiment',
        id,
        groups.map(({ parameterValues }) => parameterValues),
      ),
    ],
    idsSharedWith: oneNamespace,
  },
  normalizeRestored: restoreExperiment,
  mergeOverrides: (experiment) =>
    editExperimentOverrides(experiment, 'replace', experiment.overrides),
  initialProperties: initialHoldouts('experiment', 'experimentIDs'),
  normalize: (tx, before, wanted) => withBuckets(tx, experiments, before, wanted),
  async validate(tx, before, after) {
    if (before && !after) tx.lastStatements.push(removeLater(before.id));
    if (!after?.startTime) return;
    const analysis = startOf(after, after.startTime);
    if (after.startTime !== before?.startTime) tx.lastStatements.push(...openAnalyses([analysis]));
    if (after.decisionTime && after.decisionTime !== before?.decisionTime)
      tx.lastStatements.push(decideAnalysis(analysis));
  },
});
