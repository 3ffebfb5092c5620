import type * as z from 'zod';
import { staleBefore } from '../../shared/days.ts';
import { show } from '../../shared/fields.ts';
import { type Counted, healthOf, worstOf } from './health.ts';
import { editExperimentOverrides, removeExperimentOverrides } from './overrides.ts';
import { overridesRemoval, overridesRequest, overridesResponse } from './overrides_schema.ts';
import { isSampled, shownScores } from './quality.ts';
import { scheduledStarts } from './schedule.ts';
import { type Experiment, experimentResponse, singleExperiment } from './schema.ts';
import { unset } from './settings.ts';
import { experiments } from './table.ts';

/** Statuses in which an unchanged experiment becomes stale. */
export const staleStatuses: readonly Experiment['status'][] = ['active', 'decision_made'];

const isStale = ({ status, lastModifiedTime }: Experiment, now: number) =>
  staleStatuses.includes(status) && lastModifiedTime <= staleBefore(now);

/** Returns an experiment for a response. After a change, counted exposures are not read, and health is WAITING. */
function viewExperiment(experiment: Counted, now = Date.now()): z.infer<typeof experimentResponse> {
  const healthChecks = healthOf(experiment);
  return show(experimentResponse, {
    ...unset,
    ...experiment,
    manualQualityScores: shownScores(experiment),
    healthChecks,
    healthCheckStatus: worstOf(healthChecks),
    isStale: isStale(experiment, now),
  });
}

/** Returns a word for the parts of the response that depend on the clock and on counts; empty if nothing does. */
function markOfExperiment(experiment: Counted, now: number): string {
  const health = worstOf(healthOf(experiment));
  const words = {
    stale: isStale(experiment, now),
    [health.toLowerCase()]: health !== 'WAITING',
    sampled: isSampled(experiment),
  };
  return Object.keys(words)
    .filter((word) => words[word])
    .join('_');
}

export const shownExperiments = {
  kind: experiments,
  response: experimentResponse,
  view: viewExperiment,
  mark: markOfExperiment,
  settles: [scheduledStarts],
};

/** The response of a single experiment. See docs/contract/api.md#conventions. */
export const shownAlone = {
  ...shownExperiments,
  response: singleExperiment,
  view: (experiment: Experiment, now?: number) =>
    show(singleExperiment, viewExperiment(experiment, now)),
};

export const shownOverrides = {
  kind: experiments,
  request: overridesRequest,
  response: overridesResponse,
  view: ({ overrides }: Experiment) => overrides,
  edit: editExperimentOverrides,
  removal: overridesRemoval,
  remove: removeExperimentOverrides,
  settles: shownExperiments.settles,
};
