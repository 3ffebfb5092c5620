import { dayLength } from '../../base/time.ts';
import type { Experiment } from '../base/types.ts';

const urgencies = ['decide', 'broken', 'running', 'waiting', 'closed'] as const;

export type Urgency = (typeof urgencies)[number];

export const openStatuses: Experiment['status'][] = [
  'setup',
  'active',
  'assignment_stopped',
  'experiment_stopped',
];

export const failedCheck = ({ healthChecks }: Experiment) =>
  healthChecks.find(({ status }) => status === 'FAILED')?.name;

export const isOver = ({ status, startTime, duration }: Experiment, now: number) =>
  status !== 'active' || now >= (startTime ?? now) + duration * dayLength;

/** Returns how urgently an experiment needs someone. */
export function urgencyOf(experiment: Experiment, now = Date.now()): Urgency {
  if (!openStatuses.includes(experiment.status)) return 'closed';
  if (experiment.startTime === null) return 'waiting';
  if (failedCheck(experiment)) return 'broken';
  return isOver(experiment, now) ? 'decide' : 'running';
}

/** Returns experiments with the most urgent first; equally urgent ones keep their order. */
export const byUrgency = (experiments: Experiment[], now = Date.now()) =>
  experiments.toSorted(
    (one, other) =>
      urgencies.indexOf(urgencyOf(one, now)) - urgencies.indexOf(urgencyOf(other, now)),
  );
