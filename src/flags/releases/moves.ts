// Without the effects of moves, so that the console can import it.

import type { TriggerStatus } from './schema.ts';

export type ReleaseTransitionName = 'pause' | 'unpause' | 'skip' | 'approve' | 'rollout' | 'abort';

export const unfinishedStatuses: readonly TriggerStatus[] = [
  'IN_PROGRESS',
  'PAUSED',
  'WAITING_FOR_REVIEW',
];

export const movesFrom: Record<ReleaseTransitionName, readonly TriggerStatus[]> = {
  pause: ['IN_PROGRESS'],
  unpause: ['PAUSED'],
  skip: unfinishedStatuses,
  approve: ['WAITING_FOR_REVIEW'],
  rollout: unfinishedStatuses,
  abort: unfinishedStatuses,
};
