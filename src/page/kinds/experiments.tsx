import { moves } from '../../resources/experiments/lifecycle.ts';
import { get } from '../api.ts';
import type { Action, Kind } from '../recipe/kind.ts';
import { withOverrides } from '../recipe/load.ts';
import type { Experiment, Revision } from '../types.ts';
import { Bar } from '../ui/bar.tsx';
import type { StatusLook } from '../ui/status.tsx';
import { count, percent } from '../words.ts';
import { Design } from './experiment_design.tsx';
import { ExperimentOverrides } from './experiment_overrides.tsx';
import { dayOfRun, Stages } from './experiment_stages.tsx';
import { about, deletion, name, settings, tags, targetApps } from './settings.tsx';

const looks: Record<Experiment['status'], StatusLook> = {
  setup: { tone: 'idle', word: 'Setup' },
  active: { tone: 'going', word: 'Active' },
  assignment_stopped: { tone: 'going', word: 'Closed to new units' },
  experiment_stopped: { tone: 'waiting', word: 'Stopped' },
  decision_made: { tone: 'done', word: 'Decided' },
  abandoned: { tone: 'bad', word: 'Abandoned' },
  archived: { tone: 'away', word: 'Archived' },
};

const types: Record<Experiment['experimentType'], string> = {
  BASE: 'A/B/n',
  GEO: 'Geo',
  SWITCHBACK: 'Switchback',
  PROMPT: 'Prompt',
  SIDECAR: 'Sidecar',
  GRID_SEARCH: 'Grid search',
};

type MoveName = (typeof moves)[number]['name'];

/** The words for each move of the lifecycle; from where it leads where, the lifecycle itself says. */
const words: Record<MoveName, Pick<Action, 'label' | 'says' | 'look' | 'inMenu'>> = {
  start: {
    label: 'Start',
    says: 'Units are assigned to its groups from now on. Groups, layer, targeting and ID type are locked then.',
    look: 'primary',
  },
  make_decision: {
    label: 'Decide',
    says: 'Everyone gets what the group has that you choose.',
    look: 'primary',
  },
  stop_assignment: {
    label: 'Close to new units',
    says: 'Units that are in stay in; no new ones come in.',
  },
  stop: { label: 'Stop', says: 'No unit is assigned any more.', inMenu: true },
  abandon: { label: 'Abandon', says: 'It ends without a decision.', inMenu: true, look: 'danger' },
  reset: {
    label: 'Reset',
    says: 'It is in setup again: start, end and decision are forgotten.',
    inMenu: true,
    look: 'danger',
  },
  archive: {
    label: 'Archive',
    says: 'It leaves the lists. It can be brought back as it was.',
    inMenu: true,
  },
};

const reason = { property: 'decisionReason', label: 'Why', as: 'text' as const, isNeeded: true };

/** What a move asks for: a decision names a group of this experiment. */
function fieldsOf(needs: readonly string[], { groups }: Experiment): Action['fields'] {
  if (needs.length === 0) return undefined;
  if (!needs.includes('launchedGroupID')) return [reason];
  const options = Object.fromEntries(groups.map((group) => [group.id, group.name]));
  return [
    {
      property: 'id',
      label: 'Group',
      as: 'choice',
      options: { '': 'Choose a group', ...options },
      isNeeded: true,
    },
    reason,
    {
      property: 'removeTargeting',
      label: 'For everyone, not for the targeted alone',
      as: 'toggle',
    },
  ];
}

function movesOf(experiment: Experiment): Action[] {
  return moves
    .filter(({ from }) => from.some((status) => status === experiment.status))
    .map((move) => {
      const fields = fieldsOf('needs' in move ? move.needs : [], experiment);
      return { name: move.name, ...words[move.name], ...(fields && { fields }) };
    });
}

const unarchive: Action = {
  name: 'unarchive',
  label: 'Bring back',
  says: 'It is again what it was before it was archived.',
  look: 'primary',
};

const restart: Action = {
  name: 'restart_as_new',
  label: 'Restart as new',
  says: 'A new experiment of the same design begins in setup. This one stays as it is.',
  method: 'POST',
  inMenu: true,
  fields: [{ property: 'name', as: 'text', isNeeded: true }],
  goesTo: ({ id }) => `/experiments/${encodeURIComponent(String(id))}`,
};

/** An experiment read alone has no name; its newest version in the history does. */
async function load(id: string): Promise<Experiment> {
  const path = `/experiments/${encodeURIComponent(id)}`;
  const experiment = await withOverrides<Experiment, NonNullable<Experiment['overrides']>>(path);
  const version = await get<Revision & { snapshot: Pick<Experiment, 'name'> }>(
    `${path}/versions/${experiment.version}`,
  );
  return { ...experiment, name: version.data.snapshot.name };
}

const statusOptions = Object.fromEntries(
  Object.entries(looks).map(([status, { word }]) => [status, word]),
);

const inLine = ({ status, groups, allocation, startTime, duration }: Experiment) => {
  const design = `${count(groups.length, 'group')}, ${percent(allocation)}`;
  if (status !== 'active' || startTime === null) return design;
  const day = dayOfRun(startTime);
  return (
    <span class="bar-line">
      <Bar percent={Math.min(100, (day / duration) * 100)} />
      <span class="bar-words">{`day ${day} of ${duration}, ${design}`}</span>
    </span>
  );
};

export const experiments: Kind<Experiment> = {
  path: 'experiments',
  kind: 'experiment',
  one: 'experiment',
  many: 'Experiments',
  icon: 'flask',
  about: 'An experiment gives groups of units different values, and finds out what that does.',
  columns: [
    { title: 'Design', render: inLine },
    {
      title: 'Hypothesis',
      render: ({ hypothesis }) => <span class="clipped">{hypothesis}</span>,
      isExtra: true,
    },
  ],
  filters: [
    { name: 'status', label: 'Status', all: 'any', options: statusOptions },
    { name: 'experimentType', label: 'Type', all: 'any', options: types },
    { name: 'stale', label: 'Clean up', all: 'any', options: { true: 'left alone' } },
  ],
  status: ({ status }) => looks[status],
  facts: ({ experimentType, isStale }) => (
    <>
      <span>{types[experimentType]}</span>
      {isStale && <span class="warned">left alone for 30 days</span>}
    </>
  ),
  lead: (experiment) => <Stages experiment={experiment} />,
  tabs: [
    { path: '', title: 'Design', render: (editing) => <Design editing={editing} /> },
    {
      path: 'overrides',
      title: 'Overrides',
      render: (editing) => <ExperimentOverrides editing={editing} />,
    },
    settings([
      name,
      about,
      { property: 'hypothesis', as: 'long' },
      tags,
      targetApps,
      { property: 'experimentType', label: 'Type', as: 'choice', options: types },
      { property: 'duration', as: 'number', unit: 'days' },
      { property: 'primaryMetrics', as: 'metrics' },
      { property: 'secondaryMetrics', as: 'metrics' },
      { property: 'primaryMetricTags', as: 'tokens' },
      { property: 'secondaryMetricTags', as: 'tokens' },
      {
        property: 'defaultConfidenceInterval',
        as: 'choice',
        unit: '%',
        options: { '80': '80 %', '90': '90 %', '95': '95 %', '98': '98 %', '99': '99 %' },
      },
      { property: 'sequentialTesting', as: 'toggle' },
      { property: 'bonferroniCorrection', as: 'toggle' },
      { property: 'decisionReason', as: 'long' },
    ]),
  ],
  actions: (experiment) => [
    ...movesOf(experiment),
    ...(experiment.status === 'archived' ? [unarchive] : []),
    restart,
    deletion('experiments'),
  ],
  bulk: [{ name: 'archive', ...words.archive }],
  creation: {
    fields: [
      name,
      { property: 'hypothesis', as: 'text' },
      { property: 'layerID', label: 'Layer', as: 'pick', kind: 'layers' },
    ],
    body: ({ layerID, ...values }) => (layerID ? { ...values, layerID } : values),
  },
  load,
  apart: [
    {
      property: 'overrides',
      path: '/overrides',
      method: 'POST',
      body: (_, after) => after.overrides ?? {},
    },
  ],
  lock: ({ status }) =>
    status === 'archived' ? 'It is archived. Bring it back to change it.' : undefined,
};
