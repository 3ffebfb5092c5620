import { lazy } from '../lazy.tsx';
import { Fields } from '../recipe/fields.tsx';
import { type FieldSpec, type KindPage, pageOf } from '../recipe/kind.ts';
import { recordOf } from '../records.ts';
import type { Metric } from '../types.ts';
import { about, name, settings, tags, team } from './settings.tsx';

const types: Record<Metric['type'], string> = {
  event_count_custom: 'Count of events',
  event_user: 'Units with an event',
  sum: 'Sum of values',
  mean: 'Mean of values',
  ratio: 'Ratio',
  percentile: 'Percentile',
  funnel: 'Funnel',
  composite: 'Composite',
  composite_sum: 'Sum of metrics',
  user_warehouse: 'From the warehouse',
  undefined: 'Not defined',
};

const directions: Record<Metric['directionality'], string> = {
  increase: 'More is better',
  decrease: 'Less is better',
};

const definition: FieldSpec[] = [
  { property: 'metricEvents', label: 'Events', as: 'json' },
  { property: 'metricComponentMetrics', label: 'Metrics', as: 'metrics' },
  { property: 'funnelEventList', label: 'Steps', as: 'json' },
  { property: 'funnelCountDistinct', label: 'Counts' },
  { property: 'rollupTimeWindow', label: 'Window' },
  { property: 'customRollUpStart', label: 'From day', as: 'number' },
  { property: 'customRollUpEnd', label: 'To day', as: 'number' },
  { property: 'unitTypes', label: 'Per', as: 'tokens' },
  { property: 'warehouseNative', label: 'In the warehouse', as: 'json' },
];

const isGiven = (value: unknown) =>
  value !== undefined && (!Array.isArray(value) || value.length > 0);

const Chart = lazy(() =>
  import('../results/metric_chart.tsx').then((script) => script.MetricChart),
);

const Definition = ({ metric }: { metric: Metric }) => (
  <div class="stack">
    <p>{`${types[metric.type]}. ${directions[metric.directionality]}.`}</p>
    <Fields
      specs={definition.filter(({ property }) => isGiven(recordOf(metric)[property]))}
      value={metric}
      lock="locked"
      set={() => undefined}
    />
    <Chart metric={metric} />
  </div>
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
        `${types[type]}${lineage.events.length > 0 ? ` of ${lineage.events.join(', ')}` : ''}`,
    },
    {
      title: 'Direction',
      render: ({ directionality }) => directions[directionality],
      isExtra: true,
    },
  ],
  filters: [{ name: 'type', label: 'Type', options: types }],
  facts: ({ isVerified, isReadOnly, type }) => (
    <>
      <span>{types[type]}</span>
      {isVerified && <span>verified</span>}
      {isReadOnly && <span>read-only</span>}
    </>
  ),
  tabs: [
    {
      path: '',
      title: 'Definition',
      View: ({ editing: { stored } }) => <Definition metric={stored} />,
    },
    settings([
      about,
      { property: 'directionality', label: 'Direction', as: 'choice', options: directions },
      tags,
      { property: 'unitTypes', as: 'tokens' },
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
  method: 'POST',
};
