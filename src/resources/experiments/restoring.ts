import { keepHoldouts } from '../holdouts/member.ts';
import { requireUnlocked } from './locks.ts';
import { isDue } from './scheduled_start.ts';
import type { Experiment } from './schema.ts';

/**
 * What an earlier version becomes when it is restored: it waits for no start whose time is over, so that none happens by
 * surprise, and is in the holdouts of today.
 * @throws Problem 409 where it would change what is locked in the experiment that has started
 */
export function restoreExperiment(
  snapshot: Experiment,
  current: Experiment | undefined,
): Experiment {
  if (current) requireUnlocked(current, snapshot);
  const isMissed = isDue(snapshot, Date.now());
  return keepHoldouts(isMissed ? { ...snapshot, scheduledStartTime: null } : snapshot, current);
}
