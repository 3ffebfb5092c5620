import { dayLength } from '../../base/time.ts';
import {
  type ExperimentTransitionName,
  moveNames,
  moves,
  switchableStatuses,
} from '../../experiments/experiments/lifecycle/lifecycle.ts';
import { pageOf } from '../base/history_words.ts';
import type { Experiment, Group } from '../base/types.ts';
import { moment } from '../base/words.ts';
import type { Action } from '../entity/kind.ts';
import { archiving } from '../entity/switched.ts';
import { dayInWords } from './days.ts';
import { equalGroups } from './equal_groups.ts';
import { decision, reason } from './settings.tsx';

const words: Record<
  ExperimentTransitionName,
  Pick<Action, 'label' | 'effect' | 'look' | 'inMenu'>
> = {
  start: {
    label: 'Start',
    effect:
      'Starts assigning units. Groups, layer, targeting and ID type are locked until a reset.',
    look: 'primary',
  },
  make_decision: {
    label: 'Decide',
    effect: "Everyone targeted gets the chosen group's values.",
    look: 'primary',
  },
  stop_assignment: {
    label: 'Close to new units',
    effect:
      'Stops assigning units. Units keep their group if their SDK stores assignments; others get the defaults.',
  },
  stop: { label: 'Stop', effect: 'Stops assigning units.', inMenu: true },
  abandon: { label: 'Abandon', effect: 'Ends without a decision.', inMenu: true, look: 'danger' },
  reset: {
    label: 'Reset',
    effect: 'Returns to setup and clears its start, end and decision.',
    inMenu: true,
    look: 'danger',
  },
  archive: archiving,
};

const namesOfGroups = (groups: Group[]) =>
  Object.fromEntries(groups.map(({ id, name }) => [id, name]));

/** Returns the names of the groups by their IDs. */
export const groupNames = ({ groups }: Experiment) => namesOfGroups(groups);

function fieldsOf(move: ExperimentTransitionName, experiment: Experiment): Action['fields'] {
  const { needs } = moves[move];
  if (!needs) return undefined;
  if (!needs.includes('launchedGroupID')) return [reason];
  return [
    ...decision('group', groupNames(experiment)),
    {
      property: 'removeTargeting',
      label: 'Roll out to everyone, ignoring targeting',
      as: 'toggle',
    },
  ];
}

/** Equal values block a start. Groups without values are a doubt: apps can use their names. */
function equalityOf(experiment: Experiment): Pick<Action, 'doubts' | 'why'> {
  const equal = equalGroups(experiment);
  if (!equal) return {};
  const words = `${equal.first} and ${equal.second} have the same values`;
  return Object.keys(equal.values).length > 0 ? { why: words } : { doubts: [`${words}.`] };
}

function guardsOfStart(experiment: Experiment): Pick<Action, 'doubts' | 'why'> {
  const { groups, primaryMetrics, primaryMetricTags } = experiment;
  const { doubts = [], why } = equalityOf(experiment);
  return {
    why,
    doubts: [
      ...doubts,
      ...(groups.length < 2 ? ['There is only one group.'] : []),
      ...(primaryMetrics.length + primaryMetricTags.length === 0
        ? ['There is no primary metric.']
        : []),
    ],
  };
}

const isEarly = ({ startTime, duration }: Experiment) =>
  startTime !== null && Date.now() < startTime + duration * dayLength;

function doubtsOfDecision(experiment: Experiment): string[] {
  const { startTime, duration, healthCheckStatus } = experiment;
  const end = moment((startTime ?? 0) + duration * dayLength);
  return [
    ...(isEarly(experiment)
      ? [
          `It is ${dayInWords(startTime ?? 0, duration)}, planned to end ${end}. Differences may still be chance.`,
        ]
      : []),
    ...(healthCheckStatus === 'FAILED' ? ['Its health check failed. Results may be wrong.'] : []),
  ];
}

function guardsOf(name: ExperimentTransitionName, experiment: Experiment): Partial<Action> {
  if (name === 'start') return guardsOfStart(experiment);
  if (name !== 'make_decision') return {};
  const doubts = doubtsOfDecision(experiment);
  return isEarly(experiment) ? { doubts, look: undefined } : { doubts };
}

const schedule: Action = {
  name: 'schedule_start',
  label: 'Schedule',
  effect: 'Starts automatically within a minute of this time.',
  inMenu: true,
  fields: [{ property: 'startTime', label: 'Starts', as: 'time', isNeeded: true }],
};

const unschedule: Action = {
  name: 'schedule_start',
  label: 'Cancel schedule',
  effect: "The experiment won't start automatically.",
  inMenu: true,
  values: { startTime: null },
};

function schedulingOf(experiment: Experiment): Action[] {
  if (experiment.status !== 'setup') return [];
  if (experiment.scheduledStartTime !== null) return [unschedule];
  return [{ ...schedule, ...guardsOfStart(experiment) }];
}

const switches = [
  {
    name: 'disable_groups',
    label: 'Disable groups',
    effect: "Their units get the defaults. Other groups don't change.",
    takes: ({ disabled }: Group) => !disabled,
  },
  {
    name: 'enable_groups',
    label: 'Enable groups',
    effect: "Their units get the group's values again.",
    takes: ({ disabled }: Group) => disabled,
  },
];

function switchesOf({ status, groups }: Experiment): Action[] {
  if (!switchableStatuses.includes(status)) return [];
  return switches.flatMap(({ takes, ...action }) => {
    const options = namesOfGroups(groups.filter(takes));
    const field = { property: 'groupIDs', label: 'Group', as: 'scopes' as const, options };
    const fields = [{ ...field, isNeeded: true }];
    return Object.keys(options).length > 0 ? [{ ...action, fields, inMenu: true }] : [];
  });
}

/** Returns the actions that the status of an experiment allows. */
export function experimentActions(experiment: Experiment): Action[] {
  const own = moveNames
    .filter((name) => moves[name].from.includes(experiment.status))
    .map(
      (name): Action => ({
        name,
        ...words[name],
        fields: fieldsOf(name, experiment),
        ...guardsOf(name, experiment),
      }),
    );
  return [...own, ...schedulingOf(experiment), ...switchesOf(experiment)];
}

export const restart: Action = {
  name: 'restart_as_new',
  label: 'Restart as new',
  effect: 'Creates an experiment with the same design, in setup.',
  method: 'POST',
  makes: true,
  inMenu: true,
  fields: [{ property: 'name', isNeeded: true }],
  goesTo: ({ id }) => pageOf({ path: 'experiments' }, String(id)),
};
