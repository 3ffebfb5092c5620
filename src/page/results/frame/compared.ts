import type { Spark } from './api_types.ts';
import type { PulseResults, Result } from './types.ts';

export interface Compared {
  id: string;
  name: string;
  index: number;
  results: PulseResults;
  sparks: Spark[];
}

export const blocks = [
  { block: 'primary', title: 'Primary', of: 'primaryMetrics' },
  { block: 'secondary', title: 'Secondary', of: 'secondaryMetrics' },
  { block: 'monitoring', title: 'Monitoring', of: 'otherMetrics' },
] as const;

export type ComparedBlock = (typeof blocks)[number]['block'];

/** Returns the results of all metrics. */
export const allOf = ({ primaryMetrics, secondaryMetrics, otherMetrics }: PulseResults) => [
  ...primaryMetrics,
  ...secondaryMetrics,
  ...otherMetrics,
];

/** Returns the result of the metric that the verdict is about. */
export const primaryOf = ({ primaryMetrics, secondaryMetrics }: PulseResults): Result | undefined =>
  primaryMetrics[0] ?? secondaryMetrics[0];
