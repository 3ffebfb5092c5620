import type * as z from 'zod';
import { Problem } from '../../problem.ts';
import type { decisionBody, ExperimentStatus } from './lifecycle_schema.ts';
import type { Experiment } from './schema.ts';

interface Move {
  from: readonly ExperimentStatus[];
  to: ExperimentStatus;
  /** What a sentence says of it. */
  done: string;
  /** What whoever moves it must say. */
  needs?: readonly ('launchedGroupID' | 'decisionReason')[];
}

/** All moves, in the order in which the console page offers them. */
export const moveNames = [
  'start',
  'stop_assignment',
  'stop',
  'make_decision',
  'abandon',
  'reset',
  'archive',
] as const;

export type MoveName = (typeof moveNames)[number];

const undecided = ['active', 'experiment_stopped', 'assignment_stopped'] as const;
const ended = ['decision_made', 'abandoned'] as const;

/**
 * The lifecycle of an experiment; lifecycle operations and updates of `status` obey it.
 * See docs/contract/completions.md#3-behavior.
 */
export const moves: Record<MoveName, Move> = {
  start: { from: ['setup'], to: 'active', done: 'started' },
  stop_assignment: { from: ['active'], to: 'assignment_stopped', done: 'closed to new units' },
  stop: {
    from: ['active'],
    to: 'experiment_stopped',
    done: 'stopped',
    needs: ['decisionReason'],
  },
  make_decision: {
    from: undecided,
    to: 'decision_made',
    done: 'decided',
    needs: ['launchedGroupID'],
  },
  abandon: { from: undecided, to: 'abandoned', done: 'abandoned', needs: ['decisionReason'] },
  reset: { from: [...undecided, ...ended], to: 'setup', done: 'reset' },
  archive: {
    from: ['setup', 'experiment_stopped', 'assignment_stopped', ...ended],
    to: 'archived',
    done: 'archived',
  },
};

/** Where groups can be switched on and off: there are units that are assigned to them, or will be. */
export const switchable: readonly ExperimentStatus[] = ['setup', 'active', 'assignment_stopped'];

/** 409 that names the status an experiment is in. */
export const refused = (from: ExperimentStatus, wanted: string) =>
  new Problem('transition', `The experiment is in status ${from}, in which it cannot ${wanted}.`);

/** 409 for what only an experiment can that has not started. */
export const alreadyStarted = () =>
  new Problem('transition', 'The experiment has already started: it is in status active.');

/**
 * Moves an experiment along its lifecycle. `now` is in epoch milliseconds.
 * @param given what the caller says of the move: the launched group, the reason
 * @throws Problem 409 that names the status it is in
 */
export function move(
  experiment: Experiment,
  name: MoveName,
  now: number,
  given: Partial<Experiment> = {},
): Experiment {
  const { from, to, done } = moves[name];
  if (name === 'archive' && experiment.status === 'archived') return experiment;
  if (name === 'start' && experiment.status === 'active') throw alreadyStarted();
  if (!from.includes(experiment.status)) throw refused(experiment.status, `be ${done}`);
  return { ...experiment, ...effects(experiment, name, now), ...given, status: to };
}

/** What an experiment that has not started has not had yet. */
export const notStarted = {
  launchedGroupID: null,
  scheduledStartTime: null,
  startTime: null,
  endTime: null,
  decisionTime: null,
  decisionReason: null,
};

/** What a move sets besides the status. */
function effects({ status, salt }: Experiment, name: MoveName, now: number): Partial<Experiment> {
  switch (name) {
    case 'start':
      return { startTime: now, scheduledStartTime: null };
    case 'make_decision':
      return { decisionTime: now, endTime: now };
    case 'stop':
    case 'abandon':
      return { endTime: now };
    case 'reset':
      return { ...notStarted, ...(salt && { salt: null }) }; // a new start draws anew
    case 'archive':
      return { archivedFrom: status, scheduledStartTime: null };
    default:
      return {};
  }
}

/** Decides for a group; 400 where it is none of this experiment. `now` in epoch milliseconds. */
export function decide(
  experiment: Experiment,
  body: z.infer<typeof decisionBody>,
  now: number,
): Experiment {
  if (!experiment.groups.some((group) => group.id === body.id))
    throw Problem.property('id', 'must be the id of a group of this experiment');
  const decision = { launchedGroupID: body.id, decisionReason: body.decisionReason ?? '' };
  const untargeted = { targetingGateID: '', inlineTargetingRulesJSON: '[]' };
  return move(experiment, 'make_decision', now, {
    ...decision,
    ...(body.removeTargeting && untargeted),
  });
}

/** Brings an archived experiment back as it was; 409 from any other status. */
export function unarchive(experiment: Experiment): Experiment {
  const { status, archivedFrom } = experiment;
  if (status !== 'archived' || !archivedFrom) throw refused(status, 'be unarchived');
  return { ...experiment, status: archivedFrom, archivedFrom: null };
}

/**
 * Moves an experiment to the status that an update asks for, by the move that leads there.
 * @param given what the update says of the move: just what the operation of that move asks for
 */
export function moveTo(
  experiment: Experiment,
  status: ExperimentStatus | undefined,
  now: number,
  given: { launchedGroupID?: string | null; decisionReason?: string | null },
): Experiment {
  if (status === undefined || status === experiment.status) return experiment;
  if (experiment.status === 'archived') {
    if (status === experiment.archivedFrom) return unarchive(experiment);
    throw refused('archived', `become ${status}`);
  }
  const name = moveNames.find((each) => moves[each].to === status);
  if (!name) throw refused(experiment.status, `become ${status}`);
  const missing = moves[name].needs?.find((property) => !given[property]?.trim());
  if (missing) throw Problem.property(missing, `is required to become ${status}`);
  const decision = { decisionReason: given.decisionReason ?? '' };
  return move(experiment, name, now, name === 'make_decision' ? decision : {});
}

/** 409 for the deletion of an experiment that assigns units, unless it is forced. */
export function requireRemovable({ status }: Experiment): void {
  if (status !== 'active') return;
  throw new Problem(
    'transition',
    'The experiment is in status active; stop it first, or delete it with ?force=true.',
  );
}
