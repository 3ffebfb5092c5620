import { Problem } from '../../problem.ts';
import { alreadyStarted, refused } from './lifecycle.ts';
import type { Experiment } from './schema.ts';

/** Whether a scheduled start is overdue. `now` in epoch milliseconds. */
export const isDue = ({ status, scheduledStartTime }: Experiment, now: number): boolean =>
  status === 'setup' && scheduledStartTime !== null && scheduledStartTime <= now;

/**
 * Schedules a start, or cancels it with null. Times in epoch milliseconds.
 * @throws Problem 409 after the start
 */
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
