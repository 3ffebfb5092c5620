import { useRead } from '../use.ts';

interface Metric {
  id: string;
  name: string;
  type: string;
  description: string;
  directionality: string;
}

const shares = new Set(['event_user', 'funnel']);

/** Whether the mean of a metric is a share of units. The type is the last part of its ID. */
export const isShare = (metricID: string) => shares.has(metricID.split('::').at(-1) ?? '');

/** Reads a metric; undefined while it is loading. */
export const useMetric = (id: string) =>
  useRead<Metric>(`/metrics/${encodeURIComponent(id)}`).value?.data;
