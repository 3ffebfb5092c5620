import type * as z from 'zod';
import { Problem } from '../../../base/problem.ts';
import type { decisionBody, ExperimentStatus } from '../schema/lifecycle.ts';
import type { Experiment } from '../schema.ts';

interface ExperimentTransition {
  from: readonly ExperimentStatus[];
  to: ExperimentStatus;
  done: string;
  needs?: readonly ('launchedGroupID' | 'decisionReason')[];
}

export const moveNames = [
  'start',
  'stop_assignment',
  'stop',
  'make_decision',
  'abandon',
  'reset',
  'archive',
] as const;

export type ExperimentTransitionName = (typeof moveNames)[number];

const undecided = ['active', 'experiment_stopped', 'assignment_stopped'] as const;
const ended = ['decision_made', 'abandoned'] as const;

/** Lifecycle operations and updates of `status` both follow it. See docs/contract/completions.md#3-behavior. */
export const moves: Record<ExperimentTransitionName, ExperimentTransition> = {
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

export const switchableStatuses: readonly ExperimentStatus[] = [
  'setup',
  'active',
  'assignment_stopped',
];

/** Returns Problem 409 naming the status of the experiment. */
export const invalidTransition = (from: ExperimentStatus, wanted: string) =>
  new Problem('transition', `The experiment is in status ${from}, in which it cannot ${wanted}.`);

/** Returns Problem 409 for an experiment that has already started. */
export const alreadyStarted = () =>
  new Problem('transition', 'The experiment has already started: it is in status active.');

/** Moves an experiment along its lifecycle, at `now` in epoch milliseconds. @throws Problem 409 naming the status. */
export function moveExperiment(
  experiment: Experiment,
  name: ExperimentTransitionName,
  now: number,
  given: Partial<Experiment> = {},
): Experiment {
  const { from, to, done } = moves[name];
  if (name === 'archive' && experiment.status === 'archived') return experiment;
  if (name === 'start' && experiment.status === 'active') throw alreadyStarted();
  if (!from.includes(experiment.status)) throw invalidTransition(experiment.status, `be ${done}`);
  return { ...experiment, ...effects(experiment, name, now), ...given, status: to };
}

/** Starts an experiment; epoch milliseconds. @throws Problem 400 for a start in the future, 409 naming the status. */
export function startExperiment(experiment: Experiment, now: number, startTime = now): Experiment {
  if (startTime > now)
    throw Problem.property(
      'startTime',
      'must not be in the future; to start the experiment later, schedule its start',
    );
  return moveExperiment(experiment, 'start', startTime);
}

export const initialRun = {
  launchedGroupID: null,
  scheduledStartTime: null,
  startTime: null,
  endTime: null,
  decisionTime: null,
  decisionReason: null,
};

function effects(
  { status, salt, assignmentStopTime, endTime }: Experiment,
  name: ExperimentTransitionName,
  now: number,
): Partial<Experiment> {
  switch (name) {
    case 'start':
      return { startTime: now, scheduledStartTime: null };
    case 'stop_assignment':
      return { assignmentStopTime: now };
    case 'make_decision':
      return { decisionTime: now, endTime: endTime ?? now };
    case 'stop':
      return { endTime: now };
    case 'abandon':
      return { endTime: endTime ?? now };
    case 'reset':
      return {
        ...initialRun,
        ...(assignmentStopTime && { assignmentStopTime: null }),
        ...(salt && { salt: null }), // a new salt assigns units from scratch
      };
    case 'archive':
      return { archivedFrom: status, scheduledStartTime: null };
    default:
      return {};
  }
}

/** Makes a decision for a group. `now` in epoch milliseconds. @throws Problem 400 for an unknown group. */
export function decideExperiment(
  experiment: Experiment,
  body: z.infer<typeof decisionBody>,
  now: number,
): Experiment {
  if (!experiment.groups.some((group) => group.id === body.id))
    throw Problem.property('id', 'must be the id of a group of this experiment');
  const decision = { launchedGroupID: body.id, decisionReason: body.decisionReason ?? '' };
  const untargeted = { targetingGateID: '', inlineTargetingRulesJSON: '[]' };
  return moveExperiment(experiment, 'make_decision', now, {
    ...decision,
    ...(body.removeTargeting && untargeted),
  });
}

/** Restores the status before archiving. @throws Problem 409 unless archived. */
export function unarchiveExperiment(experiment: Experiment): Experiment {
  const { status, archivedFrom } = experiment;
  if (status !== 'archived' || !archivedFrom) throw invalidTransition(status, 'be unarchived');
  return { ...experiment, status: archivedFrom, archivedFrom: null };
}

/** Moves an experiment to the status of an update, if a move leads there. `given` has the group and the reason. */
export function moveExperimentTo(
  experiment: Experiment,
  status: ExperimentStatus | undefined,
  now: number,
  given: { launchedGroupID?: string | null; decisionReason?: string | null },
): Experiment {
  if (status === undefined || status === experiment.status) return experiment;
  if (experiment.status === 'archived') {
    if (status === experiment.archivedFrom) return unarchiveExperiment(experiment);
    throw invalidTransition('archived', `become ${status}`);
  }
  const name = moveNames.find((each) => moves[each].to === status);
  if (!name) throw invalidTransition(experiment.status, `become ${status}`);
  const missing = moves[name].needs?.find((property) => !given[property]?.trim());
  if (missing) throw Problem.property(missing, `must be given to become ${status}`);
  const decision = { decisionReason: given.decisionReason ?? '' };
  return moveExperiment(experiment, name, now, name === 'make_decision' ? decision : {});
}

/** Throws 409 if an experiment to delete is active. */
export function requireRemovable({ status }: Experiment): void {
  if (status !== 'active') return;
  throw new Problem(
    'transition',
    'The experiment is in status active; stop it first, or delete it with ?force=true.',
  );
}
