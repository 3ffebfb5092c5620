import type { StoredCell, StoredPair } from '../../../analysis/read/stored.ts';
import type { Corrected } from '../../../engine/statistics/corrections.ts';
import type { ResultOptions } from '../../base/options.ts';
import type { Subject } from '../../base/subject.ts';
import type { Timing } from './decision.ts';

export interface Setting {
  options: ResultOptions;
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
