import type { StoredCell, StoredPair } from '../analysis/stored.ts';
import type { Corrected } from '../statistics/corrections.ts';
import type { Timing } from './decision.ts';
import type { Options } from './options.ts';
import type { Subject } from './subject.ts';

export interface Setting {
  options: Options;
  timing: Timing;
  /** The days of a view; -1 for all days. */
  rollup: number;
  days: number;
  testShare: number;
  isPreliminary: boolean;
}

export interface Measured {
  subject: Subject;
  pair: StoredPair;
  corrected: Corrected;
  baseline: StoredCell | undefined;
  wasDecided: boolean;
  missing: 'no_exposures' | 'no_units' | 'not_loaded';
}
