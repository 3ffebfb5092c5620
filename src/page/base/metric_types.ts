import type { Metric } from './types.ts';

export const metricTypes: Record<Metric['type'], string> = {
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
