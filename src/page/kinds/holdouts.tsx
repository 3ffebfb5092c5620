import { recordOf } from '../../base/value_types.ts';
import type { Holdout } from '../base/types.ts';
import { count, percent } from '../base/words.ts';
import type { FieldSpec, KindPage } from '../entity/kind.ts';
import { withOverrides } from '../entity/load.ts';
import {
  about,
  idType,
  name,
  overrides,
  settings,
  tags,
  targetApps,
  team,
} from '../experiment/settings.tsx';
import { trying } from '../try/trying.tsx';
import { lazy } from '../ui/lazy.tsx';
import { onOrOff } from '../ui/status.tsx';
import { unitOverrides } from './unit_overrides.tsx';

const members: FieldSpec[] = [
  { property: 'gateIDs', as: 'tokens', kind: 'gates' },
  { property: 'dynamicConfigIDs', as: 'tokens', kind: 'dynamic_configs' },
  { property: 'experimentIDs', as: 'tokens', kind: 'experiments' },
  { property: 'layerIDs', as: 'tokens', kind: 'layers' },
  { property: 'promptIDs', as: 'tokens', kind: 'prompts' },
];

const memberCount = (holdout: Holdout) =>
  members.flatMap(({ property }) => recordOf(holdout)[property]).length;

const Results = lazy(() =>
  import('../results/others/chunk.ts').then((script) => script.HoldoutResults),
);

export const holdouts: KindPage<Holdout> = {
  path: 'holdouts',
  kind: 'holdout',
  group: 'Experiments',
  one: 'holdout',
  many: 'Holdouts',
  icon: 'shield',
  about: 'A holdout keeps a share of units from new features to measure their total effect.',
  columns: [
    {
      title: 'Holds out',
      render: (holdout) =>
        `${percent(holdout.passPercentage)} of ${count(memberCount(holdout), 'thing')}${holdout.isGlobal ? ' and all new gates' : ''}`,
    },
  ],
  filters: [
    { name: 'isGlobal', label: 'New gates', options: { true: 'added', false: 'not added' } },
  ],
  status: ({ isEnabled }) => onOrOff(isEnabled),
  facts: ({ passPercentage, isGlobal }) => (
    <>
      <span>{`${percent(passPercentage)} held out`}</span>
      {isGlobal && <span>new gates are added</span>}
    </>
  ),
  tabs: [
    settings(members, '', 'Members'),
    {
      path: 'results',
      title: 'Results',
      View: ({ editing }) => <Results holdout={editing.stored} />,
    },
    unitOverrides('Always held out', 'Never held out'),
    trying('holdout'),
    settings([
      name,
      about,
      { property: 'isEnabled', as: 'toggle' },
      { property: 'passPercentage', label: 'Held out', as: 'number', unit: '%' },
      { property: 'isGlobal', as: 'toggle' },
      { property: 'targetingGateID', kind: 'gates', empty: '' },
      { property: 'monitoringMetrics', as: 'metrics' },
      tags,
      idType,
      targetApps,
      team,
    ]),
  ],
  creation: {
    fields: [name, { property: 'passPercentage', label: 'Held out', as: 'number', unit: '%' }],
    values: { passPercentage: 2 },
  },
  load: withOverrides,
  apart: [overrides],
};
