import type * as z from 'zod';
import { show } from '../../base/fields.ts';
import { staleBefore } from '../../base/time.ts';
import { type ExperimentWithCounts, healthOf, withStatistics, worstOf } from './checks/health.ts';
import { isPowered, isSampled, qualityScoresOf } from './checks/quality.ts';
import { editExperimentOverrides, removeExperimentOverrides } from './overrides.ts';
import { scheduledStarts } from './schedule.ts';
import { overridesRemoval, overridesRequest, overridesResponse } from './schema/overrides.ts';
import { settingDefaults } from './schema/settings.ts';
import { type Experiment, experimentResponse, singleExperiment } from './schema.ts';
import { experiments } from './table.ts';

export const staleStatuses: readonly Experiment['status'][] = ['active', 'decision_made'];

const isStale = ({ status, lastModifiedTime }: Experiment, now: number) =>
  staleStatuses.includes(status) && lastModifiedTime <= staleBefore(now);

/** After a change the health status is WAITING, because counts are not read. */
function viewExperiment(
  experiment: ExperimentWithCounts,
  now = Date.now(),
): z.infer<typeof experimentResponse> {
  const healthChecks = healthOf(experiment);
  return show(experimentResponse, {
    ...settingDefaults,
    ...experiment,
    manualQualityScores: qualityScoresOf(experiment),
    healthChecks,
    healthCheckStatus: worstOf(healthChecks),
    isStale: isStale(experiment, now),
  });
}

/** Changes without a new version, so it is part of the ETag. */
function markOfExperiment(experiment: ExperimentWithCounts, now: number): string {
  const health = worstOf(healthOf(experiment));
  const words = {
    stale: isStale(experiment, now),
    [health.toLowerCase()]: health !== 'WAITING',
    sampled: isSampled(experiment),
    powered: isPowered(experiment),
    weak: isPowered(experiment) === false,
  };
  return Object.keys(words)
    .filter((word) => words[word])
    .join('_');
}

export const experimentResource = {
  kind: experiments,
  response: experimentResponse,
  enrich: withStatistics,
  view: viewExperiment,
  mark: markOfExperiment,
  overdueChanges: [scheduledStarts],
};

/** The resource for operations on one experiment. See docs/contract/api.md#conventions. */
export const singleExperimentResource = {
  ...experimentResource,
  response: singleExperiment,
  view: (experiment: Experiment, now?: number) =>
    show(singleExperiment, viewExperiment(experiment, now)),
};

export const overridesResource = {
  kind: experiments,
  request: overridesRequest,
  response: overridesResponse,
  view: ({ overrides }: Experiment) => overrides,
  edit: editExperimentOverrides,
  removal: overridesRemoval,
  remove: removeExperimentOverrides,
  overdueChanges: experimentResource.overdueChanges,
};
