import type { Cell } from './cells.ts';
import type { ExposureCell } from './exposures.ts';
import type { Clusters } from './percentiles.ts';
import type { ExtremesOf, LimitsOf } from './quantiles.ts';

/** Units are read for the limits of winsorization, if these matter, then for moments. Percentiles need four phases. */
export type LoadPhase =
  | 'waiting'
  | 'limits'
  | 'moments'
  | 'counts'
  | 'value'
  | 'shares'
  | 'bounds'
  | 'done';

export interface TaskProgress {
  definition: string;
  cells: Cell[];
  extremes: ExtremesOf;
  limits: LimitsOf;
  exposures: ExposureCell[];
  clusters: Clusters;
}

export const noProgress = (definition: string): TaskProgress => ({
  definition,
  cells: [],
  extremes: {},
  limits: {},
  exposures: [],
  clusters: {},
});
