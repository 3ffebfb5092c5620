import { Problem } from '../../../base/problem.ts';
import type { Experiment } from '../schema.ts';
import { alreadyStarted, invalidTransition } from './lifecycle.ts';

/** Whether the scheduled start of an experiment has passed. `now` in epoch milliseconds. */
export const isStartOverdue = ({ status, scheduledStartTime }: Experiment, now: number): boolean =>
  status === 'setup' && scheduledStartTime !== null && scheduledStartTime <= now;

/** Sets or removes the scheduled start. Times in epoch milliseconds. @throws Problem 409 after the start. */
export function scheduleStart(
  experiment: Experiment,
  startTime: number | null,
  now: number,
): Experiment {
  const { status } = experiment;
  if (status === 'active') throw alreadyStarted();
  if (status !== 'setup') throw invalidTransition(status, 'be scheduled to start');
  if (startTime !== null && startTime <= now)
    throw Problem.property(
      'startTime',
      'must be in the future; to start the experiment now, use its start operation',
    );
  return { ...experiment, scheduledStartTime: startTime };
}
