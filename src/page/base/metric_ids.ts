import type { MetricReference } from './types.ts';

/** Returns the ID of a metric: its name and type. */
export const metricIDOf = ({ name, type }: Pick<MetricReference, 'name' | 'type'>) =>
  `${name}::${type}`;

const shares = new Set(['event_user', 'funnel']);

/** Whether the mean of a metric is a share of units. The type is the last part of its ID. */
export const isShare = (metricID: string) => shares.has(metricID.split('::').at(-1) ?? '');
