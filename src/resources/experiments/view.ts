import type * as z from 'zod';
import { show } from '../../shared/fields.ts';
import { healthOf, worstOf } from './health.ts';
import { shownScores } from './quality.ts';
import { scheduledStarts } from './schedule.ts';
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

/** An experiment as it is answered; the answer of a change has not read what is counted, and its health waits. */
export function viewExperiment(
  experiment: Experiment & { beside?: string | null },
  now = Date.now(),
): z.infer<typeof experimentResponse> {
  const healthChecks = healthOf(experiment, experiment.beside);
  return show(experimentResponse, {
    ...unset,
    ...experiment,
    manualQualityScores: shownScores(experiment),
    healthChecks,
    healthCheckStatus: worstOf(healthChecks),
    isStale: isStale(experiment, now),
  });
}

/** How experiments are answered, here and where they are listed as referrers. */
export const shownExperiments = {
  kind: experiments,
  response: experimentResponse,
  view: viewExperiment,
  mark: (experiment: Experiment, now: number) => (isStale(experiment, now) ? 'stale' : ''),
  settles: [scheduledStarts],
};
