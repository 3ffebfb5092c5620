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
    ...(!('phases' in listed) && { phases: [] }), // lists of earlier servers leave them out
    configSnapshot: [],
    earlierPipelineID: null,
    appliedPhaseID: null,
    dueTime: null,
    remainingMs: null,
  };
}

/** 400 for a release under way that is in none of its phases. */
function requirePhase(trigger: Trigger): void {
  const { status, phases, currentPhase, currentPhaseID, appliedPhaseID } = trigger;
  if (new Set(phases.map(({ id }) => id)).size < phases.length)
    throw Problem.property('phases', 'must each have an id of their own');
  const phase = phases.find(({ id }) => id === currentPhaseID);
  if (!phase) throw Problem.property('currentPhaseID', 'must be the id of one of the phases');
  if (phase.name !== currentPhase)
    throw Problem.property('currentPhase', 'must be the name of the current phase');
  const applied = phases.find(({ id }) => id === appliedPhaseID);
  const isWaiting = status === 'WAITING_FOR_REVIEW'; // in which the rules before are in force, or those of an earlier phase
  if (isWaiting ? appliedPhaseID !== null && !applied : applied !== phase)
    throw Problem.property('appliedPhaseID', 'must be the phase whose rules are in force');
  if (isWaiting && !phase.requiredReview)
    throw Problem.property('status', 'must not wait for the review of a phase that needs none');
}

/**
 * 400 for a release from elsewhere in a state that no move leads to, and from which some would never end: it releases one
 * thing, is in one of its phases, and waits as its status says.
 */
export function requireReleaseReached(trigger: Trigger): void {
  const { gateID, dynamicConfigID, status, currentPhaseEndTime, dueTime, remainingMs } = trigger;
  if ((gateID === '') === (dynamicConfigID === ''))
    throw Problem.property('gateID', 'or dynamicConfigID must be empty, and the other not');
  if (dueTime !== (status === 'IN_PROGRESS' ? currentPhaseEndTime : null))
    throw Problem.property('dueTime', 'must be currentPhaseEndTime while IN_PROGRESS, else null');
  if ((remainingMs !== null) !== (status === 'PAUSED') || (remainingMs ?? 0) < 0)
    throw Problem.property('remainingMs', 'must be what is left while PAUSED, and else null');
  if (isUnfinished(trigger)) requirePhase(trigger);
}

/**
 * What an earlier version becomes when it is restored: paused where its wait ran, with what was left of it then, so
 * that no phase ends by surprise; 409 for a finished trigger, and for a deleted one unless as it ended, 400 for a state
 * that no move leads to, which a history from elsewhere may have.
 */
export function restoreTrigger(snapshot: Trigger, current: Trigger | undefined): Trigger {
  if (current && !isUnfinished(current))
    throw refused(current, 'be taken back to an earlier version');
  if (!current && isUnfinished(snapshot))
    throw refused(snapshot, 'be restored after it was deleted');
  requireReleaseReached(snapshot);
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
