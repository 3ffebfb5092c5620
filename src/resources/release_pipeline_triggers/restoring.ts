import { Problem } from '../../problem.ts';
import { isUnfinished, refused } from './lifecycle.ts';
import type { Trigger } from './schema.ts';

/** 409 while a release is under way: it is to be aborted first. */
export function requireFinished(trigger: Trigger): void {
  if (isUnfinished(trigger)) throw refused(trigger, 'be deleted; abort it first');
}

/** What a list does not tell of a release that has ended; 400 for one under way, which needs its phases and the rules before. */
export function finishedRelease(listed: object) {
  if (isUnfinished(Object(listed)))
    throw Problem.property(
      'status',
      'is of a release under way, of which a list does not tell all: end it there first, or take an export',
    );
  return {
    phases: [],
    configSnapshot: [],
    earlierPipelineID: null,
    appliedPhaseID: null,
    dueTime: null,
    remainingMs: null,
  };
}

/** 400 for a release from elsewhere in a state that no move leads to. */
export function requireReleaseReached(trigger: Trigger): void {
  const { gateID, dynamicConfigID, phases, currentPhaseID, appliedPhaseID } = trigger;
  const { status, currentPhaseEndTime, dueTime, remainingMs } = trigger;
  const isPhase = (sought: string) => phases.some(({ id }) => id === sought);
  if ((gateID === '') === (dynamicConfigID === ''))
    throw Problem.property('gateID', 'or dynamicConfigID must be empty, and the other not');
  if (isUnfinished(trigger) && !isPhase(currentPhaseID))
    throw Problem.property('currentPhaseID', 'must be the id of one of the phases');
  if (appliedPhaseID !== null && !isPhase(appliedPhaseID))
    throw Problem.property('appliedPhaseID', 'must be the id of one of the phases, or null');
  if (dueTime !== (status === 'IN_PROGRESS' ? currentPhaseEndTime : null))
    throw Problem.property('dueTime', 'must be currentPhaseEndTime while IN_PROGRESS, else null');
  if ((remainingMs !== null) !== (status === 'PAUSED'))
    throw Problem.property('remainingMs', 'must be there while PAUSED, and null otherwise');
}

/**
 * What an earlier version becomes when it is restored: paused where its wait ran, with what was left of it then, so
 * that no phase ends by surprise; 409 for a finished trigger, and for a deleted one unless as it ended.
 */
export function restoreTrigger(snapshot: Trigger, current: Trigger | undefined): Trigger {
  if (current && !isUnfinished(current))
    throw refused(current, 'be taken back to an earlier version');
  if (!current && isUnfinished(snapshot))
    throw refused(snapshot, 'be restored after it was deleted');
  const { status, currentPhaseEndTime, lastModifiedTime } = snapshot;
  const { actions, earlierPipelineID } = current ?? snapshot; // which go on, whatever the version says
  const restored = { ...snapshot, actions, earlierPipelineID };
  if (status !== 'IN_PROGRESS') return restored;
  // A version whose phase was entered late, because nobody looked, has all of that phase ahead.
  const left = currentPhaseEndTime - lastModifiedTime;
  const { timeIntervalMs = 0 } =
    snapshot.phases.find(({ id }) => id === snapshot.currentPhaseID) ?? {};
  const remainingMs = left > 0 ? left : timeIntervalMs;
  return { ...restored, status: 'PAUSED', dueTime: null, remainingMs };
}
