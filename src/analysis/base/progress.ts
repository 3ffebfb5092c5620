import type { Cell } from './cells.ts';
import type { ExposureCell } from './exposures.ts';
import type { Clusters } from './percentiles.ts';
import type { ExtremesOf, LimitsOf } from './quantiles.ts';

export interface Progress {
  definition: string;
  cells: Cell[];
  extremes: ExtremesOf;
  limits: LimitsOf;
  exposures: ExposureCell[];
  clusters: Clusters;
}

export const noProgress = (definition: string): Progress => ({
  definition,
  cells: [],
  extremes: {},
  limits: {},
  exposures: [],
  clusters: {},
});
