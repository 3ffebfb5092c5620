import { Problem } from '../../base/problem.ts';
import { memberOf } from '../../base/value_types.ts';
import { isUnfinished, refused } from './lifecycle.ts';
import { unfinishedStatuses } from './moves.ts';
import type { Trigger } from './schema.ts';

/** Throws Problem 409 for an unfinished release. */
export function requireFinished(trigger: Trigger): void {
  if (isUnfinished(trigger)) throw refused(trigger, 'be deleted; abort it first');
}

/** Returns the properties that lists leave out. @throws Problem 400 for an unfinished release, which needs them */
export function finishedRelease(listed: object) {
  const status = memberOf(listed, 'status');
  if (unfinishedStatuses.some((name) => name === status))
    throw Problem.property(
      'status',
      'must be COMPLETED or ABORTED, as a list leaves out properties of other releases: finish it there first, or import an export',
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

function requirePhase(trigger: Trigger): void {
  const { status, phases, currentPhase, currentPhaseID, appliedPhaseID } = trigger;
  if (new Set(phases.map(({ id }) => id)).size < phases.length)
    throw Problem.property('phases', 'must have distinct ids');
  const phase = phases.find(({ id }) => id === currentPhaseID);
  if (!phase) throw Problem.property('currentPhaseID', 'must be the id of one of the phases');
  if (phase.name !== currentPhase)
    throw Problem.property('currentPhase', 'must be the name of the current phase');
  const applied = phases.find(({ id }) => id === appliedPhaseID);
  const isWaiting = status === 'WAITING_FOR_REVIEW'; // the rules of an earlier phase, or from before the release, apply
  if (isWaiting ? appliedPhaseID !== null && !applied : applied !== phase)
    throw Problem.property('appliedPhaseID', 'must be the id of the phase whose rules apply');
  if (isWaiting && !phase.requiredReview)
    throw Problem.property(
      'status',
      'must not be WAITING_FOR_REVIEW, as the phase requires no review',
    );
}

/** Throws Problem 400 for an imported release in a state that no move leads to; some would never end. */
export function requireReleaseReached(trigger: Trigger): void {
  const { gateID, dynamicConfigID, status, currentPhaseEndTime, dueTime, remainingMs } = trigger;
  if ((gateID === '') === (dynamicConfigID === ''))
    throw Problem.property(
      'gateID',
      'must be empty, or else dynamicConfigID: exactly one of the two',
    );
  if (dueTime !== (status === 'IN_PROGRESS' ? currentPhaseEndTime : null))
    throw Problem.property('dueTime', 'must be currentPhaseEndTime while IN_PROGRESS, else null');
  if ((remainingMs !== null) !== (status === 'PAUSED') || (remainingMs ?? 0) < 0)
    throw Problem.property('remainingMs', 'must be the remaining time while PAUSED, else null');
  if (isUnfinished(trigger)) requirePhase(trigger);
}

/** Restores a version, paused if running. @throws Problem 409 if finished, or deleted unfinished; 400 for its state */
export function restoreTrigger(snapshot: Trigger, current: Trigger | undefined): Trigger {
  if (current && !isUnfinished(current))
    throw refused(current, 'be restored to an earlier version');
  if (!current && isUnfinished(snapshot))
    throw refused(snapshot, 'be restored after it was deleted');
  requireReleaseReached(snapshot);
  const { status, currentPhaseEndTime, lastModifiedTime } = snapshot;
  const { actions, earlierPipelineID } = current ?? snapshot; // never restored
  const restored = { ...snapshot, actions, earlierPipelineID };
  if (status !== 'IN_PROGRESS') return restored;
  // A version whose phase was entered after its end has the whole phase left.
  const left = currentPhaseEndTime - lastModifiedTime;
  const { timeIntervalMs = 0 } =
    snapshot.phases.find(({ id }) => id === snapshot.currentPhaseID) ?? {};
  const remainingMs = left > 0 ? left : timeIntervalMs;
  return { ...restored, status: 'PAUSED', dueTime: null, remainingMs };
}
