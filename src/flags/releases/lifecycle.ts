import { Problem } from '../../base/problem.ts';
import type { Author } from '../../platform/store/core/author.ts';
import type { Draft } from '../../platform/store/core/transaction.ts';
import type { ReleasePhase, ReleasePipeline } from '../pipelines/schema.ts';
import { movesFrom, type ReleaseTransitionName, unfinishedStatuses } from './moves.ts';
import type { Action, Trigger, TriggerStatus } from './schema.ts';

type ReleaseProgress = Pick<
  Trigger,
  | 'status'
  | 'phases'
  | 'currentPhase'
  | 'currentPhaseID'
  | 'currentPhaseEndTime'
  | 'appliedPhaseID'
  | 'dueTime'
  | 'remainingMs'
>;

/** Whether the release still controls its gate or dynamic config. */
export const isUnfinished = ({ status }: Pick<Trigger, 'status'>): boolean =>
  unfinishedStatuses.includes(status);

const reach = <T extends ReleaseProgress>(trigger: T, phase: ReleasePhase, time: number): T => ({
  ...trigger,
  currentPhase: phase.name,
  currentPhaseID: phase.id,
  currentPhaseEndTime: time + phase.timeIntervalMs,
  remainingMs: null,
});

const beginPhase = <T extends ReleaseProgress>(
  trigger: T,
  phase: ReleasePhase,
  time: number,
): T => ({
  ...reach(trigger, phase, time),
  status: 'IN_PROGRESS',
  appliedPhaseID: phase.id,
});

const finish = <T extends ReleaseProgress>(trigger: T, status: TriggerStatus, time: number): T => ({
  ...trigger,
  status,
  currentPhaseEndTime: time,
  remainingMs: null,
});

function leavePhase<T extends ReleaseProgress>(trigger: T, time: number): T {
  const { phases, currentPhaseID } = trigger;
  const next = phases[phases.findIndex(({ id }) => id === currentPhaseID) + 1];
  if (!next) return finish(trigger, 'COMPLETED', time);
  if (!next.requiredReview) return beginPhase(trigger, next, time);
  return { ...reach(trigger, next, time), status: 'WAITING_FOR_REVIEW' };
}

/** Whether the interval of the current phase is over at a time in epoch milliseconds. */
export const isDue = ({ status, currentPhaseEndTime }: ReleaseProgress, now: number): boolean =>
  status === 'IN_PROGRESS' && currentPhaseEndTime <= now;

const withDueTime = <T extends ReleaseProgress>(trigger: T): T => {
  const { status, currentPhaseEndTime } = trigger;
  return { ...trigger, dueTime: status === 'IN_PROGRESS' ? currentPhaseEndTime : null };
};

/** Enters the next phase at the scheduled end of the current one, even if that is late. */
export const enterNext = (trigger: Trigger): Trigger =>
  withDueTime(leavePhase(trigger, trigger.currentPhaseEndTime));

function passOverdue<T extends ReleaseProgress>(trigger: T, now: number): T {
  let current = trigger;
  while (isDue(current, now)) current = leavePhase(current, current.currentPhaseEndTime);
  return withDueTime(current);
}

/** Pauses a release whose next phase cannot begin, with the reason. */
export const halt = (trigger: Trigger, reason: string, author: Author): Trigger => ({
  ...trigger,
  status: 'PAUSED',
  dueTime: null,
  remainingMs: 0,
  actions: [...trigger.actions, { ...record('PAUSED', trigger.currentPhaseID, author), reason }],
});

const record = (type: Action['type'], phaseID: string, { actor, time }: Author): Action => ({
  type,
  timeMs: time,
  phaseID,
  actorName: actor.name,
  actorID: actor.id,
});

type NewRelease = Omit<
  Draft<Trigger>,
  keyof ReleaseProgress | 'id' | 'releasePipelineID' | 'actions'
>;

/** Returns a new release, in the first phase of its pipeline or waiting for its review. */
export function startedRelease(
  pipeline: ReleasePipeline,
  given: NewRelease,
  author: Author,
): Draft<Trigger> {
  const { id: releasePipelineID, phases } = pipeline;
  const ready: Draft<Trigger> = {
    id: crypto.randomUUID(),
    releasePipelineID,
    ...given,
    phases,
    status: 'IN_PROGRESS',
    currentPhase: '',
    currentPhaseID: '',
    currentPhaseEndTime: author.time,
    appliedPhaseID: null,
    dueTime: null,
    remainingMs: null,
    actions: [record('STARTED', phases[0]?.id ?? '', author)],
  };
  return passOverdue(ready, author.time);
}

interface ReleaseTransition {
  action: Action['type'];
  done: string;
  next(trigger: Trigger, now: number): Trigger;
}

const pause = (trigger: Trigger, now: number): Trigger => ({
  ...trigger,
  status: 'PAUSED',
  remainingMs: trigger.currentPhaseEndTime - now,
});

const unpause = (trigger: Trigger, now: number): Trigger => ({
  ...trigger,
  status: 'IN_PROGRESS',
  currentPhaseEndTime: now + (trigger.remainingMs ?? 0),
  remainingMs: null,
});

function approve(trigger: Trigger, now: number): Trigger {
  const phase = trigger.phases.find(({ id }) => id === trigger.currentPhaseID);
  return phase ? beginPhase(trigger, phase, now) : trigger;
}

function rollOut(trigger: Trigger, now: number): Trigger {
  const last = trigger.phases.at(-1);
  return finish(last ? beginPhase(trigger, last, now) : trigger, 'COMPLETED', now);
}

const abort = (trigger: Trigger, now: number): Trigger => ({
  ...finish(trigger, 'ABORTED', now),
  appliedPhaseID: null,
});

const moves: Record<ReleaseTransitionName, ReleaseTransition> = {
  pause: { action: 'PAUSED', done: 'paused', next: pause },
  unpause: { action: 'UNPAUSED', done: 'resumed', next: unpause },
  skip: { action: 'SKIPPED', done: 'taken to its next phase', next: leavePhase },
  approve: { action: 'APPROVED_FOR', done: 'approved', next: approve },
  rollout: { action: 'FULL_ROLL_OUT', done: 'rolled out', next: rollOut },
  abort: { action: 'ABORTED', done: 'aborted', next: abort },
};

export const refused = ({ status }: Trigger, wanted: string) =>
  new Problem('transition', `The release is in status ${status} and cannot ${wanted}.`);

function requireCurrent({ currentPhase, currentPhaseID }: Trigger, phaseID: string): void {
  if (phaseID === currentPhaseID) return;
  const message = `The current phase is ${currentPhase}, with the id ${currentPhaseID}.`;
  const errors = [{ property: 'phaseID', errorMessage: 'must be the id of the current phase' }];
  throw new Problem('transition', message, { errors });
}

/** Moves a release. @throws Problem 409 for its status, or if its current phase is not `phaseID` */
export function moveRelease(
  trigger: Trigger,
  name: ReleaseTransitionName,
  phaseID: string,
  author: Author,
): Trigger {
  const { action, done, next } = moves[name];
  if (!movesFrom[name].includes(trigger.status)) throw refused(trigger, `be ${done}`);
  requireCurrent(trigger, phaseID);
  const moved = passOverdue(next(trigger, author.time), author.time);
  return { ...moved, actions: [...trigger.actions, record(action, phaseID, author)] };
}
