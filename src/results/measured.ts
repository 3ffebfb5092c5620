import type { StoredCell, StoredPair } from '../analysis/stored.ts';
import type { Corrected } from '../statistics/corrections.ts';
import type { Timing } from './decision.ts';
import type { Options } from './options.ts';
import type { Subject } from './subject.ts';

/** The parts that all results of one response share. */
export interface Setting {
  options: Options;
  timing: Timing;
  /** How many days count. */
  days: number;
  /** The share of all units that the test group has, 0 to 1. */
  testShare: number;
  isPreliminary: boolean;
}

/** A metric with its stored results. */
export interface Measured {
  subject: Subject;
  pair: StoredPair;
  corrected: Corrected;
  /** The control group when the baseline of the probability ratio test was fixed. */
  baseline: StoredCell | undefined;
  /** Whether the planned end of a sequential test found a change. */
  wasDecided: boolean;
  /** Why the metric has no stored results in both groups. */
  missing: 'no_exposures' | 'no_units' | 'not_loaded';
}
