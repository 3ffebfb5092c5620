import type * as z from 'zod';
import { show } from '../../shared/fields.ts';
import { shownScores } from './quality.ts';
import { type Experiment, experimentResponse } from './schema.ts';
import { unset } from './settings.ts';
import { experiments } from './table.ts';

const staleAfter = 30 * 24 * 60 * 60 * 1000;

/** The latest time of last change, in epoch milliseconds, at which an experiment is stale. */
export const staleBefore = (now: number) => now - staleAfter;

/** Statuses in which an experiment that nobody touches is stale. */
export const staleStatuses: readonly Experiment['status'][] = ['active', 'decision_made'];

const isStale = ({ status, lastModifiedTime }: Experiment, now: number) =>
  staleStatuses.includes(status) && lastModifiedTime <= staleBefore(now);

/** An experiment as it is answered. No exposures are recorded before there is evaluation, so its health waits. */
export function viewExperiment(
  experiment: Experiment,
  now = Date.now(),
): z.infer<typeof experimentResponse> {
  const description = 'No exposures have been recorded for this experiment.';
  return show(experimentResponse, {
    ...unset,
    ...experiment,
    manualQualityScores: shownScores(experiment),
    healthChecks: [{ name: 'Exposures', status: 'WAITING', description }],
    healthCheckStatus: 'WAITING',
    isStale: isStale(experiment, now),
  });
}

/** How experiments are answered, here and where they are listed as referrers. */
export const shownExperiments = {
  kind: experiments,
  response: experimentResponse,
  view: viewExperiment,
  mark: (experiment: Experiment, now: number) => (isStale(experiment, now) ? 'stale' : ''),
};
