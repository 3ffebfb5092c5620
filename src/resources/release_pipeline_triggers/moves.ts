// Without what the moves lead to, so that the console page offers those that there are, and loads no more of them.

import type { TriggerStatus } from './schema.ts';

/** The moves of a trigger. */
export type MoveName = 'pause' | 'unpause' | 'skip' | 'approve' | 'rollout' | 'abort';

/** The statuses from which a trigger can still move. */
export const unfinished: readonly TriggerStatus[] = ['IN_PROGRESS', 'PAUSED', 'WAITING_FOR_REVIEW'];

/** The statuses from which each move is made; what is COMPLETED or ABORTED has none. */
export const movesFrom: Record<MoveName, readonly TriggerStatus[]> = {
  pause: ['IN_PROGRESS'],
  unpause: ['PAUSED'],
  skip: unfinished,
  approve: ['WAITING_FOR_REVIEW'],
  rollout: unfinished,
  abort: unfinished,
};
