import { pageOf } from '../base/history_words.ts';
import { metricTypes } from '../base/metric_types.ts';
import type { Metric } from '../base/types.ts';
import type { KindPage } from '../entity/kind.ts';
import { about, name, settings, tags, team } from '../experiment/settings.tsx';
import { lazy } from '../ui/lazy.tsx';

const directions: Record<Metric['directionality'], string> = {
  increase: 'More is better',
  decrease: 'Less is better',
};

const Definition = lazy(() => import('../metric/chunk.ts').then((script) => script.Definition));

const hasUnnamedEvent = ({ warehouseNative: native = {} }: Metric) =>
  [native, ...(native.metricSources ?? []), ...(native.funnelEvents ?? [])].some(
    ({ metricSourceName }) => metricSourceName === '',
  );

export const metrics: KindPage<Metric> = {
  path: 'metrics',
  kind: 'metric',
  group: 'Experiments',
  one: 'metric',
  many: 'Metrics',
  icon: 'chart',
  about: 'A metric measures what users do.',
  columns: [
    {
      title: 'Type',
      render: ({ type, lineage }) =>
        `${metricTypes[type]}${lineage.events.length > 0 ? ` of ${lineage.events.join(', ')}` : ''}`,
    },
    {
      title: 'Direction',
      render: ({ directionality }) => directions[directionality],
      isExtra: true,
    },
  ],
  filters: [{ name: 'type', label: 'Type', options: metricTypes }],
  facts: ({ isVerified, isReadOnly, type }) => (
    <>
      <span>{metricTypes[type]}</span>
      {isVerified && <span>verified</span>}
      {isReadOnly && <span>read-only</span>}
    </>
  ),
  tabs: [
    { path: '', title: 'Definition', View: Definition },
    settings([
      about,
      tags,
      team,
      { property: 'isVerified', as: 'toggle' },
      { property: 'isPermanent', as: 'toggle' },
      { property: 'isHidden', as: 'toggle' },
    ]),
  ],
  actions: () => [
    {
      name: '',
      method: 'POST',
      label: 'Rename',
      effect: 'Its ID changes too. Update what uses it first.',
      inMenu: true,
      fields: [{ ...name, label: 'New name' }],
      goesTo: ({ id }) => pageOf(metrics, String(id)),
    },
  ],
  creation: { fields: [], page: '/metrics/new' },
  doubts: (_, after) => (hasUnnamedEvent(after) ? ['An event has no name.'] : []),
  method: 'POST',
};
