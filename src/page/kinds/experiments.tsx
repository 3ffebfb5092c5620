import { get } from '../base/api.ts';
import type { Experiment, Revision } from '../base/types.ts';
import type { Editing, KindPage } from '../entity/kind.ts';
import { withOverrides } from '../entity/load.ts';
import { archivedLock, archiving, unarchiving } from '../entity/switched.ts';
import { dayInWords } from '../experiment/days.ts';
import { isWrong } from '../experiment/health_status.ts';
import { experimentActions, restart } from '../experiment/moves.ts';
import {
  about,
  filledIn,
  name,
  overrides,
  settings,
  tags,
  targetApps,
} from '../experiment/settings.tsx';
import { trying } from '../try/trying.tsx';
import { About } from '../ui/about.tsx';
import { lazy } from '../ui/lazy.tsx';
import { lookOf, type Tones } from '../ui/status.tsx';
import { ExperimentOverrides } from './experiment_overrides.tsx';
import { StagesOf } from './experiment_stages.tsx';
import { mixedTypes } from './mixed_types.ts';

const tones: Tones<Experiment['status']> = {
  setup: 'idle',
  active: 'going',
  assignment_stopped: 'going',
  experiment_stopped: 'waiting',
  decision_made: 'done',
  abandoned: 'bad',
  archived: 'away',
};

const types: Record<Experiment['experimentType'], string> = {
  BASE: 'A/B/n',
  GEO: 'Geo',
  SWITCHBACK: 'Switchback',
  PROMPT: 'Prompt',
  SIDECAR: 'Sidecar',
  GRID_SEARCH: 'Grid search',
};

/** Adds the name, which only the latest revision contains. */
async function load(path: string): Promise<Experiment> {
  const experiment = await withOverrides<Experiment>(path);
  const version = await get<Revision & { snapshot: Pick<Experiment, 'name'> }>(
    `${path}/versions/${experiment.version}`,
  );
  return { ...experiment, name: version.data.snapshot.name };
}

const nameStored = (
  { groups }: Experiment,
  { overrides: { userIDOverrides, overrides: others } }: Experiment,
) =>
  [...userIDOverrides, ...others].every(({ groupID }) => groups.some(({ id }) => id === groupID));

const listed = {
  decide: 'Needs a decision',
  active: 'Running',
  setup: 'Not started',
  decision_made: 'Decided',
  abandoned: 'Abandoned',
  archived: 'Archived',
};

function experimentLook({ status, startTime, duration, groups, launchedGroupID }: Experiment) {
  const look = lookOf(tones, status);
  if (status === 'active' && startTime !== null)
    return { ...look, word: `Running, ${dayInWords(startTime, duration)}` };
  const launched = groups.find(({ id }) => id === launchedGroupID)?.name;
  return status === 'decision_made' && launched ? { ...look, word: `Decided: ${launched}` } : look;
}

const LazyResults = lazy(() => import('../results/chunk.ts').then(({ Results }) => Results));

const ResultsTab = ({ editing }: { editing: Editing<Experiment> }) => (
  <LazyResults kind={experiments} experiment={editing.stored} />
);

const LazyPlan = lazy(() => import('../plan/chunk.ts').then(({ Plan }) => Plan));

const PlanTab = ({ editing }: { editing: Editing<Experiment> }) => (
  <LazyPlan kind={experiments} editing={editing} />
);

const urgency = () => import('../urgency/chunk.ts');

const Design = lazy(() => import('./experiment_design.tsx').then((script) => script.Design));

const buttonGroup = (name: string, color: string) => ({
  name,
  size: 50,
  parameterValues: { button_color: color },
});

const templates = [
  {
    title: 'A/B test of a button',
    text: 'Half of the users get another color. Rename the parameter and its values as you like.',
    values: {
      name: 'Button color',
      hypothesis: 'A green button is more visible, so more users press it.',
      groups: [buttonGroup('Control', 'grey'), buttonGroup('Green', 'green')],
    },
  },
];

const Snippet = lazy(() => import('./snippet.tsx').then((script) => script.Snippet));

export const experiments: KindPage<Experiment> = {
  path: 'experiments',
  kind: 'experiment',
  group: 'Experiments',
  one: 'experiment',
  many: 'Experiments',
  icon: 'flask',
  about: 'An experiment gives groups of units different values and records who saw which.',
  columns: [],
  Rows: lazy(() => urgency().then(({ ExperimentRows }) => ExperimentRows)),
  listing: {
    order: 'what needs a decision',
    load: async (path) => (await urgency()).loadByUrgency(path),
  },
  filters: [
    { name: 'status', label: 'Status', all: 'All', options: listed, isOpen: true },
    { name: 'experimentType', label: 'Type', options: types },
    { name: 'stale', label: 'Clean up', options: { true: 'stale' } },
  ],
  status: experimentLook,
  facts: ({ experimentType, startTime, healthCheckStatus: health, isStale }) => (
    <>
      <span>{types[experimentType]}</span>
      {startTime !== null && isWrong(health) && (
        <span class="warned">{`health: ${health.toLowerCase()}`}</span>
      )}
      {isStale && <span class="warned">not changed for 30 days</span>}
    </>
  ),
  lead: (experiment) => (
    <>
      {experiment.hypothesis && <About text={experiment.hypothesis} />}
      {experiment.startTime === null && <StagesOf experiment={experiment} />}
    </>
  ),
  tabs: [
    { path: 'results', title: 'Results', View: ResultsTab },
    { path: 'plan', title: 'Plan', View: PlanTab },
    { path: 'design', title: 'Design', View: Design },
    { path: 'overrides', title: 'Overrides', View: ExperimentOverrides },
    trying('experiment'),
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
      { property: 'primaryMetricTags', as: 'tokens', names: 'tags' },
      { property: 'secondaryMetricTags', as: 'tokens', names: 'tags' },
      {
        property: 'defaultConfidenceInterval',
        as: 'choice',
        options: { '80': '80%', '90': '90%', '95': '95%', '98': '98%', '99': '99%' },
      },
      { property: 'sequentialTesting', as: 'toggle' },
      { property: 'bonferroniCorrection', as: 'toggle' },
      { property: 'decisionReason', as: 'long', empty: null },
    ]),
  ],
  tabsOf: ({ startTime }) =>
    startTime === null
      ? experiments.tabs.filter(({ path }) => path !== 'results')
      : experiments.tabs,
  actions: (experiment) => [
    ...experimentActions(experiment),
    ...(experiment.status === 'archived' ? [unarchiving] : []),
    restart,
  ],
  bulk: [archiving],
  creation: {
    fields: [name, { property: 'hypothesis' }, { property: 'layerID', kind: 'layers' }],
    body: filledIn,
    templates,
    Snippet: () => <Snippet evaluation="getObjectValue('button_color', {})" />,
  },
  load,
  doubts: (_, { groups }) => mixedTypes(groups.map(({ parameterValues }) => parameterValues)),
  apart: [{ ...overrides, isFirst: nameStored }],
  lock: archivedLock,
};
