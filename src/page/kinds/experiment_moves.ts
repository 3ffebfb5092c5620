import {
  type MoveName,
  moveNames,
  moves,
  switchable,
} from '../../resources/experiments/lifecycle.ts';
import { type Action, pageOf } from '../recipe/kind.ts';
import type { Experiment, Group } from '../types.ts';
import { decision, reason } from './settings.tsx';
import { archiving } from './switched.ts';

/** The words for each move of the lifecycle; from where it leads where, the lifecycle itself says. */
const words: Record<MoveName, Pick<Action, 'label' | 'says' | 'look' | 'inMenu'>> = {
  start: {
    label: 'Start',
    says: 'Units are assigned to its groups from now on. Groups, layer, targeting and ID type are locked then.',
    look: 'primary',
  },
  make_decision: {
    label: 'Decide',
    says: 'Whoever it is for gets what the chosen group has.',
    look: 'primary',
  },
  stop_assignment: {
    label: 'Close to new units',
    says: 'No unit is assigned any more. Those that are in stay in where their SDK keeps assignments; others get the defaults.',
  },
  stop: { label: 'Stop', says: 'No unit is assigned any more.', inMenu: true },
  abandon: { label: 'Abandon', says: 'It ends without a decision.', inMenu: true, look: 'danger' },
  reset: {
    label: 'Reset',
    says: 'It is in setup again: start, end and decision are forgotten.',
    inMenu: true,
    look: 'danger',
  },
  archive: archiving,
};

const namesOf = (groups: Group[]) => Object.fromEntries(groups.map(({ id, name }) => [id, name]));

/** What the groups are called, by their ids. */
export const groupNames = ({ groups }: Experiment) => namesOf(groups);

/** What a move asks for: a decision names a group of this experiment. */
function fieldsOf(move: MoveName, experiment: Experiment): Action['fields'] {
  const { needs } = moves[move];
  if (!needs) return undefined;
  if (!needs.includes('launchedGroupID')) return [reason];
  return [
    ...decision('group', groupNames(experiment)),
    {
      property: 'removeTargeting',
      label: 'For everyone, not for the targeted alone',
      as: 'toggle',
    },
  ];
}

const schedule: Action = {
  name: 'schedule_start',
  label: 'Schedule',
  says: 'The experiment starts by itself within a minute of this time.',
  inMenu: true,
  fields: [{ property: 'startTime', label: 'Starts', as: 'time', isNeeded: true }],
};

const unschedule: Action = {
  name: 'schedule_start',
  label: 'Take the schedule back',
  says: 'It starts when somebody starts it.',
  inMenu: true,
  values: { startTime: null },
};

/** What can be done about the time at which an experiment in setup starts by itself. */
function schedulingOf({ status, scheduledStartTime }: Experiment): Action[] {
  if (status !== 'setup') return [];
  return scheduledStartTime === null ? [schedule] : [unschedule];
}

/** The words for switching groups off, and on again. */
const switches = [
  {
    name: 'disable_groups',
    label: 'Disable groups',
    says: 'Units in them get the defaults from now on. Other groups stay as they are.',
    takes: ({ disabled }: Group) => !disabled,
  },
  {
    name: 'enable_groups',
    label: 'Enable groups',
    says: 'Units in them get the values of their group again.',
    takes: ({ disabled }: Group) => disabled,
  },
];

/** How groups can be switched: each way where there is a group for it. */
function switchesOf({ status, groups }: Experiment): Action[] {
  if (!switchable.includes(status)) return [];
  return switches.flatMap(({ takes, ...action }) => {
    const options = namesOf(groups.filter(takes));
    const field = { property: 'groupIDs', label: 'Group', as: 'scopes' as const, options };
    const fields = [{ ...field, isNeeded: true }];
    return Object.keys(options).length > 0 ? [{ ...action, fields, inMenu: true }] : [];
  });
}

/** What can be done with an experiment in its status. */
export function movesOf(experiment: Experiment): Action[] {
  const own = moveNames
    .filter((name) => moves[name].from.includes(experiment.status))
    .map((name): Action => ({ name, ...words[name], fields: fieldsOf(name, experiment) }));
  return [...own, ...schedulingOf(experiment), ...switchesOf(experiment)];
}

export const restart: Action = {
  name: 'restart_as_new',
  label: 'Restart as new',
  says: 'A new experiment of the same design begins in setup. This one stays as it is.',
  method: 'POST',
  makes: true,
  inMenu: true,
  fields: [{ property: 'name', isNeeded: true }],
  goesTo: ({ id }) => pageOf({ path: 'experiments' }, String(id)),
};
