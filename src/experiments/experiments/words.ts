import { describe, describeRoutes } from '../../platform/openapi/words/describe.ts';
import { bayesianPrior, group, stratifiedSampling } from '../starts/settings_schema.ts';
import type { experimentRoutes } from './routes.ts';
import { groupInput, groupsBody } from './schema/groups.ts';
import { decisionBody, restartBody, scheduleBody, startBody } from './schema/lifecycle.ts';
import { overridesRemoval, overridesResponse } from './schema/overrides.ts';
import { decisionCondition, smallestChange } from './schema/plan.ts';
import { qualityScore, qualityScoreInput } from './schema/quality.ts';
import { externalEvent, preComputedUserDimension, titledLink } from './schema/settings.ts';
import {
  experimentCreate,
  experimentPatch,
  experimentResponse,
  singleExperiment,
} from './schema.ts';

describe(bayesianPrior, {
  metric: 'The metric.',
  priorMean: 'The mean of the prior.',
  priorStdDev: 'The standard deviation of the prior; above 0.',
});

const metricID = 'The ID of the metric: name::type.';

describe(decisionCondition, {
  metricID,
  better: 'The metric must improve significantly.',
  notWorseThan: 'How much worse the metric may be at most, in percent of the control.',
});

describe(smallestChange, {
  metricID,
  percent: 'In percent of the control, without a sign.',
});

describe([experimentResponse, experimentCreate, singleExperiment, experimentPatch], {
  decisionRule:
    'The conditions to ship, one for each metric; fixed once the experiment has started.',
  smallestChanges: 'The smallest change that matters, for each primary metric; fixed at the start.',
  status: 'The stage; only the lifecycle operations change it.',
  experimentType: 'The design of the experiment.',
  launchedGroupID: 'The chosen group; null before a decision.',
  endTime: 'The end, in epoch milliseconds.',
  layerID: 'The layer of the experiment.',
  hypothesis: 'The expected result, with the reason.',
  primaryMetrics: 'The main metrics for the hypothesis.',
  secondaryMetrics: 'Further metrics to monitor.',
  primaryMetricTags: 'Metrics with one of these tags are main metrics too, up to 50 in all.',
  secondaryMetricTags: 'Metrics with one of these tags are further metrics too, up to 50 in all.',
  allocation: 'The percentage of the layer or traffic that takes part.',
  duration: 'The expected number of days; above 1.',
  defaultConfidenceInterval: 'The confidence level of intervals, in percent.',
  bonferroniCorrection: 'Whether the Bonferroni correction is applied per variant.',
  healthChecks: [
    'The health checks and their results.',
    {
      name: 'The name of the check.',
      status: 'The result; WAITING if nothing is counted yet.',
      description: 'The finding of the check.',
      p: 'The probability that sizes differ this much from the planned shares by chance; absent below 100 units.',
      groups: [
        'The groups of the check `Balanced groups`; absent in other checks.',
        {
          groupID: 'The ID of the group.',
          units: 'The number of exposed units.',
          expectedShare: 'The planned share, in percent.',
        },
      ],
    },
  ],
  healthCheckStatus: 'The worst of the health checks.',
  isStale: 'Whether it is active or decided, and unchanged for 30 days.',
  inlineTargetingRulesJSON: 'Rules that units must pass, as JSON text.',
  identifierMappingMode: 'How the IDs of the two types are matched.',
  targetExposures: 'The target number of exposures; above 1.',
  defaultRollupWindow:
    'The rollup window in days: -1 for all days. Experiments that are not warehouse native accept -1, 1 and 7.',
  defaultChanceToBeatThreshold: 'The threshold of Bayesian results.',
  assignmentSourceName: 'The assignment source; makes the experiment warehouse native.',
  assignmentSourceExperimentName: 'The name of the experiment in the assignment source.',
  cohortedAnalysisDuration: 'The days of analysis for each unit; above 1.',
  fixedAnalysisDuration: 'The days of analysis; above 1.',
  scheduledReloadType: 'Whether to reload all data or only new data.',
  analysisEndTime: 'The end of the analysis: a day, or a time, such as 2026-12-31T00:00:00Z.',
  defaultSPRTPowerParam: 'The power of SPRT, in percent.',
  stratifiedSampling: 'Balances groups by earlier measurements.',
  secondaryIDType: 'A second ID type, for ID resolution; warehouse native.',
  identityResolutionSource: 'The entity property source for ID resolution.',
  isAnalysisOnly: 'Whether assignment happens elsewhere; warehouse native.',
  allocationDuration: 'The days of allocation; above 1.',
  scheduledReloadHour: 'The hour of reloads, 0 to 23 in UTC.',
  scheduledReloadDays: 'The days of reloads, 0 (Sunday) to 6; null for every day.',
  externalEvents: 'Outside events that may affect the results.',
  userBuckets: 'The layer buckets of the experiment, each from 0 to 999.',
  otherMetrics: 'Extra metrics without correction.',
  sequentialTesting:
    'Whether intervals and p-values stay valid when results are read before the end.',
  bonferroniCorrectionPerMetric: 'Whether the Bonferroni correction is applied per metric.',
  benjaminiHochbergPerVariant: 'Whether the Benjamini-Hochberg procedure is applied per variant.',
  benjaminiHochbergPerMetric: 'Whether the Benjamini-Hochberg procedure is applied per metric.',
  benjaminiPrimaryMetricsOnly:
    'Whether the Benjamini-Hochberg procedure covers only primary metrics.',
  bayesianPriors: 'Prior beliefs about metrics.',
  cohortedMetricsMatureAfterEnd: 'Whether metrics mature after the end.',
  cohortWaitUntilEndToInclude: 'Whether only units with a complete analysis count.',
  turboMode: 'Whether to use turbo mode; warehouse native.',
  assignmentSourceFilters: 'Filters for the rows of the assignment source.',
  analyticsType: 'The statistics to use.',
  isSidecar: 'Whether the visual editor created it.',
  preComputedUserDimensions: 'User properties that results are split by.',
  cureCovariates: 'Covariates that reduce the variance.',
  enabledNonProdEnvironments:
    'The non-production environments in which the experiment already runs during setup.',
  links: 'Related resources.',
  controlGroupID: 'The control group; the first group if absent.',
  manualQualityScores:
    'Scores to add or, with the same name, to replace; at most 10 in total. Weights are rescaled to sum to 100.',
  scheduledStartTime: 'When the experiment starts automatically.',
  restartedFrom: 'The ID of the experiment that was restarted.',
});

describe(overridesResponse.shape.overrides.element, {
  type: 'Whether units must pass a gate or a segment.',
  id: 'The ID of the gate or segment.',
});

describe(
  overridesRemoval,
  'If the unit type or environment is left out, all match; a null environment matches overrides that apply in all environments.',
);

describe(externalEvent, { name: 'The name of the event.' });

describe([group, groupInput], {
  name: 'The name of the group.',
  id: 'The ID of the group; generated if absent.',
  size: 'The percentage of the participants.',
  parameterValues: 'The parameter values of this group.',
  description: 'How the group differs.',
  disabled: 'Whether the group is disabled.',
});

describe(groupsBody, { groupIDs: 'The IDs of the groups.' });

describe(decisionBody, {
  id: 'The ID of the chosen group.',
  removeTargeting: 'Whether everyone gets the group, not only targeted users.',
});

describe(preComputedUserDimension, {
  propertySource: 'The source of the property.',
  name: 'The name of the property.',
});

describe([qualityScore, qualityScoreInput.in], {
  criteriaName: 'A default check, or your own name.',
  status: 'The result.',
  criteriaDescription: 'The subject of the score.',
  score: 'The score, 0 to 100.',
  weight: 'The weight, 0 to 100; 0 removes a default check.',
});

describe(restartBody, { name: 'The name of the new experiment.' });

describe(startBody, {
  startTime:
    'When an experiment began elsewhere: epoch milliseconds, or a time such as 2026-01-01T09:00:00Z, from 2000 until now. Now by default.',
});

describe(scheduleBody, {
  startTime:
    'Epoch milliseconds, or a time such as 2026-01-01T09:00:00Z; null removes the scheduled start.',
});

describe(stratifiedSampling, {
  status: 'The progress of the sampling.',
  metric: 'The metric that groups are balanced by.',
  entityPropertySource: 'The property that groups are balanced by.',
  csv: 'Units and their strata, as CSV.',
});

describe(titledLink, { url: 'The address.', title: 'The title of the link.' });

describeRoutes<typeof experimentRoutes>('experiments', {
  parameters: {
    'GET /': {
      layerID: 'Only experiments on this layer.',
      experimentType: 'Only experiments of one of these designs.',
      stale: 'Only stale entities.',
      includeArchived: 'Whether to include archived experiments; true by default.',
    },
    'DELETE /:id': {
      force: 'Whether to delete an experiment that is active.',
    },
  },
  operations: {
    'POST /:id/restart_as_new':
      'Copies the experiment, except IDs, times, status, decision and overrides, into a new one in setup.',
    'PUT /:id/start':
      'From setup to active: sets `startTime` to now or to an earlier time, and takes buckets of its layer. 409 if it has already started.',
    'PUT /:id/schedule_start':
      'The experiment stays in setup until `startTime`; null removes the schedule. A start that fails is retried each minute.',
    'PUT /:id/enable_groups': 'In setup and while it runs.',
    'PUT /:id/disable_groups': 'In setup and while it runs; one group must stay enabled.',
    'PUT /:id/reset':
      'Back to setup from any later stage: times, decision and buckets are cleared.',
    'PUT /:id/archive':
      'Archives the experiment, unless it is active. New references to it are then rejected.',
    'PUT /:id/stop': 'Sets `endTime` and the reason. A decision can follow.',
    'PUT /:id/abandon': 'Ends it without a decision; stores the reason.',
    'PUT /:id/stop_assignment': 'No new units are assigned. A decision can follow.',
    'PUT /:id/make_decision':
      'Sets `launchedGroupID`, reason and time; group and reason can be changed until a reset.',
    'DELETE /:id':
      '409 while it is active, unless `force` is set, or while it is referenced. Its exposures and results are removed; its history is kept, and each version can be restored without them.',
  },
});
