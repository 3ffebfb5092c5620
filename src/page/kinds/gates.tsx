import { isOfEveryone, rulesInWords } from '../base/rule_words.ts';
import type { Gate } from '../base/types.ts';
import type { Editing, KindPage } from '../entity/kind.ts';
import { withOverrides } from '../entity/load.ts';
import {
  archivedLock,
  archiving,
  enabling,
  movesFrom,
  switchedFilter,
  switchedStatus,
} from '../entity/switched.ts';
import {
  about,
  idType,
  name,
  overrides,
  settings,
  shortDescription,
  tags,
  targetApps,
  teamOrNone,
} from '../experiment/settings.tsx';
import { Bar } from '../ui/bar.tsx';
import { lazy } from '../ui/lazy.tsx';
import { releases } from './releases.tsx';
import { unitOverrides } from './unit_overrides.tsx';

const types: Record<Gate['type'], string> = { PERMANENT: 'Permanent', TEMPORARY: 'Temporary' };

export const staleWords: Record<Gate['typeReason'], string> = {
  NONE: '',
  STALE_NO_RULES: 'stale: no rules',
  STALE_ALL_TRUE: 'stale: everyone passes',
  STALE_ALL_FALSE: 'stale: no one passes',
  STALE_EMPTY_CHECKS: 'stale: never checked',
};

function WhoPasses({ gate: { status, rules } }: { gate: Gate }) {
  if (status === 'Launched') return <Bar percent={100} words="everyone" />;
  const activeRules = status === 'In Progress' ? rules : [];
  const [first] = activeRules;
  return (
    <Bar
      percent={first?.passPercentage ?? 0}
      isOfSome={first && !isOfEveryone(first)}
      words={rulesInWords(activeRules)}
    />
  );
}

const disable = {
  name: 'disable',
  label: 'Disable',
  effect: 'No one passes while disabled. Its rules are kept.',
  effectOnMany: 'No one passes while disabled. Their rules are kept.',
  look: 'danger' as const,
  to: 'Disabled' as const,
};

const moves = [
  enabling,
  disable,
  {
    name: 'launch',
    label: 'Launch',
    effect: 'Everyone passes, regardless of rules.',
    to: 'Launched' as const,
  },
  {
    ...archiving,
    fields: [{ property: 'archiveReason', label: 'Why' }],
    to: 'Archived' as const,
  },
];

const Facts = lazy(() => import('../gate/chunk.ts').then((script) => script.GateFacts), 2);
const LazyRules = lazy(() => import('../gate/chunk.ts').then((script) => script.GateRules));

const Rules = ({ editing }: { editing: Editing<Gate> }) => (
  <LazyRules editing={editing} releases={releases} />
);

const ruleOf = (name: string, passPercentage: number, condition: object) => [
  { name, passPercentage, conditions: [condition] },
];

const templates = [
  {
    title: 'Kill switch',
    text: 'On for everyone. Disable it to turn the feature off within seconds.',
    values: {
      name: 'Kill switch',
      type: 'PERMANENT',
      rules: ruleOf('Everyone', 100, { type: 'public' }),
    },
  },
  {
    title: 'Country rollout',
    text: 'On for 10% of one country. Raise the share, then add countries.',
    values: {
      name: 'Country rollout',
      rules: ruleOf('First country', 10, {
        type: 'country',
        operator: 'any',
        targetValue: ['AT'],
      }),
    },
  },
];

const Results = lazy(() =>
  import('../results/others/chunk.ts').then((script) => script.GateResults),
);

const Snippet = lazy(() => import('./snippet.tsx').then((script) => script.Snippet));

export const gates: KindPage<Gate> = {
  path: 'gates',
  kind: 'gate',
  group: 'Flags',
  one: 'gate',
  many: 'Gates',
  icon: 'gate',
  about: 'A gate turns a feature on for a share of everyone, certain users or a segment.',
  columns: [{ title: 'Who passes', render: (gate) => <WhoPasses gate={gate} /> }],
  filters: [
    switchedFilter(['In Progress', 'Launched', 'Disabled', 'Archived']),
    { name: 'type', label: 'Type', options: types },
    { name: 'stale', label: 'Clean up', options: { true: 'stale' } },
  ],
  status: switchedStatus,
  lead: (gate) => <Facts gate={gate} staleReason={staleWords[gate.typeReason]} />,
  tabs: [
    { path: '', title: 'Rules', View: Rules },
    { path: 'results', title: 'Results', View: ({ editing }) => <Results gate={editing.stored} /> },
    unitOverrides('Always pass', 'Never pass'),
    settings([
      name,
      about,
      { property: 'type', as: 'choice', options: types },
      tags,
      idType,
      targetApps,
      teamOrNone,
      {
        property: 'measureMetricLifts',
        as: 'toggle',
        hint: 'Records exposures, and compares units that pass with units that fail.',
      },
      { property: 'monitoringMetrics', as: 'metrics' },
    ]),
  ],
  tabsOf: ({ measureMetricLifts }) =>
    measureMetricLifts ? gates.tabs : gates.tabs.filter(({ path }) => path !== 'results'),
  actions: ({ status }) => movesFrom(status, moves),
  bulk: [disable, archiving],
  creation: {
    fields: [name, shortDescription, { property: 'type', as: 'choice', options: types }],
    values: { type: 'TEMPORARY' },
    templates,
    Snippet: () => <Snippet evaluation="getBooleanValue('my_gate', false)" />,
  },
  lock: archivedLock,
  load: withOverrides,
  apart: [overrides],
};
