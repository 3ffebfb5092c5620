import { integer, real, text } from 'drizzle-orm/sqlite-core';
import { inlineRules } from '../../evaluation/compile/inline_rules.ts';
import { oneNamespace } from '../../shared/namespace.ts';
import { metricID, naming, namingMetrics, partID, type Reference } from '../../shared/naming.ts';
import { type Rule, ruleReferences } from '../../shared/rules.ts';
import { valueParts } from '../../shared/value_parts.ts';
import { kind } from '../../store/core/define_kind.ts';
import type { Kind } from '../../store/core/kind.ts';
import { boolean, entityTable, json, type Row } from '../../store/sql/columns.ts';
import { openAnalyses } from '../analyses/opening.ts';
import { holdoutsNaming } from '../holdouts/member.ts';
import { onLayer } from '../layers/overrides.ts';
import { parameterFor } from '../layers/parameters.ts';
import { withBuckets } from './allocation.ts';
import { analysisOf } from './analysis.ts';
import { restoreExperiment } from './experiment.ts';
import { healthColumn } from './health.ts';
import { experimentStatuses } from './lifecycle_schema.ts';
import { editExperimentOverrides } from './overrides.ts';
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
    settings: json<Row<Experiment>['settings']>(),
  },
  {
    filters: ['status', 'experimentType', 'idType', 'layerID', 'teamID'],
    sought: [['scheduledStartTime']],
  },
);

/** Each must exist in the layer, with the type of the value. */
function layerParameters({ layerID, groups }: Experiment): Reference[] {
  if (!layerID) return [];
  return groups.flatMap(({ parameterValues }, index) =>
    Object.entries(parameterValues).map(([parameter, value]) => ({
      ...parameterFor(layerID, parameter, value),
      property: `groups.${index}.parameterValues.${parameter}`,
    })),
  );
}

function metricReferences(experiment: Experiment): Reference[] {
  const { otherMetrics, bayesianPriors, cureCovariates, stratifiedSampling } = experiment;
  const { metric: stratificationMetric } = stratifiedSampling ?? {};
  return [
    ...namingMetrics('primaryMetrics', experiment.primaryMetrics),
    ...namingMetrics('secondaryMetrics', experiment.secondaryMetrics),
    ...namingMetrics('otherMetrics', otherMetrics ?? []),
    ...(bayesianPriors ?? []).flatMap(({ metric }, index) =>
      naming(`bayesianPriors.${index}.metric`, 'metric', metricID(metric)),
    ),
    ...namingMetrics('cureCovariates', cureCovariates ?? []),
    ...naming(
      'stratifiedSampling.metric',
      'metric',
      stratificationMetric && metricID(stratificationMetric),
    ),
  ];
}

export const experiments: Kind<Experiment> = kind({
  kind: 'experiment',
  title: 'Experiment',
  table: experimentTable,
  beside: healthColumn(experimentTable),
  labels: ({ tags, targetApps }) => ({ tags, targetApps }),
  totals: [['status', 'experimentType', 'idType'], ['layerID'], ['teamID'], ['team', 'teamID']],
  references: (experiment) => [
    ...naming('targetingGateID', 'gate', experiment.targetingGateID),
    ...naming('layerID', 'layer', experiment.layerID),
    ...naming('assignmentSourceName', 'assignment_source', experiment.assignmentSourceName),
    ...metricReferences(experiment),
    ...ruleReferences(inlineRules<Rule>(experiment), 'inlineTargetingRulesJSON'),
    ...experiment.overrides.overrides.map(({ type, id }, index) => ({
      kind: type,
      id,
      property: `overrides.${index}.id`,
    })),
    ...layerParameters(experiment),
  ],
  sharesIDsWith: oneNamespace,
  isReferable: ({ status }) => status !== 'archived',
  parts: ({ id, layerID, groups }) => [
    ...(layerID ? [onLayer(layerID, id)] : []),
    ...groups.map(({ name }) => ({ kind: 'experiment_group', id: partID(id, name) })),
    ...valueParts(
      'experiment',
      id,
      groups.map(({ parameterValues }) => parameterValues),
    ),
  ],
  standing: holdoutsNaming('experiment', 'experimentIDs'),
  restored: restoreExperiment,
  joined: (experiment) => editExperimentOverrides(experiment, 'replace', experiment.overrides),
  completed: (tx, before, wanted) => withBuckets(tx, experiments, before, wanted),
  async entails(tx, before, after) {
    if (!after?.startTime || after.startTime === before?.startTime) return;
    tx.following.push(...openAnalyses([analysisOf(after, after.startTime)]));
  },
});
