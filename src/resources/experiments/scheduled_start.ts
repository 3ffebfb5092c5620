import { Problem } from '../../problem.ts';
import { alreadyStarted, refused } from './lifecycle.ts';
import type { Experiment } from './schema.ts';

/** Whether the time has come at which an experiment is to start. `now` in epoch milliseconds. */
export const isDue = ({ status, scheduledStartTime }: Experiment, now: number): boolean =>
  status === 'setup' && scheduledStartTime !== null && scheduledStartTime <= now;

/** Sets when an experiment starts by itself, or that it does not; 409 once it has started. Times in epoch milliseconds. */
export function scheduleStart(
  experiment: Experiment,
  startTime: number | null,
  now: number,
): Experiment {
  const { status } = experiment;
  if (status === 'active') throw alreadyStarted();
  if (status !== 'setup') throw refused(status, 'be scheduled to start');
  if (startTime !== null && startTime <= now)
    throw Problem.property(
      'startTime',
      'must be in the future; start the experiment to have it now',
    );
  return { ...experiment, scheduledStartTime: startTime };
}
