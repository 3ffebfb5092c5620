import type * as z from 'zod';
import { Problem } from '../../problem.ts';
import type { decisionBody, ExperimentStatus } from './lifecycle_schema.ts';
import type { Experiment } from './schema.ts';

interface Move {
  name: string;
  from: readonly ExperimentStatus[];
  to: ExperimentStatus;
  /** What whoever moves it must say. */
  needs?: readonly ('launchedGroupID' | 'decisionReason')[];
}

const undecided = ['active', 'experiment_stopped', 'assignment_stopped'] as const;
const ended = ['decision_made', 'abandoned'] as const;

/** The lifecycle of an experiment (completions, section 3); lifecycle operations and updates of `status` obey it. */
export const moves = [
  { name: 'start', from: ['setup'], to: 'active' },
  { name: 'stop_assignment', from: ['active'], to: 'assignment_stopped' },
  { name: 'stop', from: ['active'], to: 'experiment_stopped', needs: ['decisionReason'] },
  {
    name: 'make_decision',
    from: undecided,
    to: 'decision_made',
    needs: ['launchedGroupID'],
  },
  { name: 'abandon', from: undecided, to: 'abandoned', needs: ['decisionReason'] },
  { name: 'reset', from: [...undecided, ...ended], to: 'setup' },
  {
    name: 'archive',
    from: ['setup', 'experiment_stopped', 'assignment_stopped', ...ended],
    to: 'archived',
  },
] as const satisfies readonly Move[];

export type MoveName = (typeof moves)[number]['name'];

/** What a move sets besides the status. */
type Effects = Partial<
  Pick<
    Experiment,
    | 'scheduledStartTime'
    | 'startTime'
    | 'endTime'
    | 'decisionTime'
    | 'launchedGroupID'
    | 'decisionReason'
    | 'targetingGateID'
    | 'inlineTargetingRulesJSON'
  >
>;

/** 409 that names the status an experiment is in. */
export const refused = (from: ExperimentStatus, wanted: string) =>
  new Problem('transition', `The experiment is in status ${from}, from which it cannot ${wanted}.`);

const started = (from: ExperimentStatus) =>
  new Problem('transition', `The experiment has already started: it is in status ${from}.`);

/**
 * Moves an experiment along its lifecycle. `now` is in epoch milliseconds.
 * @param given what the caller says of the move: the launched group, the reason
 * @throws Problem 409 that names the status it is in
 */
export function move(
  experiment: Experiment,
  name: MoveName,
  now: number,
  given: Effects = {},
): Experiment {
  const all: readonly Move[] = moves;
  const found = all.find((candidate) => candidate.name === name);
  if (name === 'archive' && experiment.status === 'archived') return experiment;
  if (name === 'start' && experiment.status === 'active') throw started(experiment.status);
  if (!found?.from.includes(experiment.status))
    throw refused(experiment.status, name.replaceAll('_', ' '));
  return { ...experiment, ...effects(experiment, name, now), ...given, status: found.to };
}

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
      return {
        startTime: null,
        endTime: null,
        decisionTime: null,
        launchedGroupID: null,
        decisionReason: null,
        ...(salt && { salt: null }), // a new start draws anew
      };
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

/** Whether the time has come at which an experiment is to start. */
export const isDue = ({ status, scheduledStartTime }: Experiment, now: number): boolean =>
  status === 'setup' && scheduledStartTime !== null && scheduledStartTime <= now;

/** Sets when an experiment starts by itself, or that it does not; 409 once it has started. Times in epoch milliseconds. */
export function scheduleStart(
  experiment: Experiment,
  startTime: number | null,
  now: number,
): Experiment {
  const { status } = experiment;
  if (status === 'active') throw started(status);
  if (status !== 'setup') throw refused(status, 'be scheduled to start');
  if (startTime !== null && startTime <= now)
    throw Problem.property(
      'startTime',
      'must be in the future; start the experiment to have it now',
    );
  return { ...experiment, scheduledStartTime: startTime };
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
  const leading = moves.find(({ to }) => to === status);
  if (!leading) throw refused(experiment.status, `become ${status}`);
  const { name, needs = [] }: Move & { name: MoveName } = leading;
  const missing = needs.find((property) => !given[property]?.trim());
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
