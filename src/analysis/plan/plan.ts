import type * as z from 'zod';
import type { MetricDefinition } from '../../resources/metrics/schema.ts';
import type { criteria } from '../../shared/criteria.ts';

export type Criterion = z.infer<typeof criteria>[number];

export interface PlanContext {
  unitType: string;
  dimensions: readonly string[];
  cohortDays: number | null;
  waitsForCohort: boolean;
  find(metricID: string): MetricDefinition | undefined;
}

/** Events that a metric reads, and the number of each: its value, or the metadata under a key. */
export interface Source {
  event: string;
  criteria: Criterion[];
  /** Null for the value. */
  key: string | null;
}

export type Aggregate =
  | 'count'
  | 'sum'
  /** The number of events with a number. */
  | 'numbers'
  | 'days'
  /** The share of days with an event, up to the last day. */
  | 'daily_share'
  | 'any'
  | 'distinct'
  | 'max'
  | 'min'
  | 'first'
  | 'latest';

export interface Window {
  since: 'exposure' | 'day';
  from: number;
  /** Exclusive. */
  to: number;
}

export interface Term {
  sign: 1 | -1;
  aggregate: Aggregate;
  sources: Source[];
  /** The largest sum of one day. */
  cap: number | null;
  window: Window | null;
}

export interface Quantity {
  terms: Term[];
  winsorize: { high: number; low: number } | null;
}

interface Common {
  events: string[];
  bakeDays: number;
  /** Fields of the definition that have no effect. */
  unused: string[];
}

export interface UnitsPlan extends Common {
  type: 'units';
  y: Quantity;
  d: Quantity | null;
  /** Days before the day of exposure that are compared; null for a metric without a past. */
  pastDays: number | null;
  /** Units need this much time since their exposure, or since the beginning of its day. */
  matures: { since: Window['since']; after: number } | null;
  /** From here on the number of a unit becomes 1, below it 0. */
  threshold: number | null;
  logBase: number | null;
  onlyConverted: boolean;
  keepsNullDenominators: boolean;
}

export interface FunnelPlan extends Common {
  type: 'funnel';
  steps: Source[];
  counts: 'users' | 'events' | 'sessions';
  /** Milliseconds from the start of a chain to its last step; null without a limit. */
  within: number | null;
  startsAtExposure: boolean;
  isOrdered: boolean;
  /** Milliseconds by which a step may precede the one before. */
  allowance: number;
  measuresTime: boolean;
  session: string | null;
  window: Window | null;
  winsorizes: { y: Quantity['winsorize']; d: Quantity['winsorize'] };
}

export interface PercentilePlan extends Common {
  type: 'percentile';
  source: Source;
  /** From 0 to 1. */
  p: number;
  window: Window | null;
}

export type MetricPlan = UnitsPlan | FunnelPlan | PercentilePlan;

export interface NoPlan {
  reason: 'not_computable' | 'unit_type';
  detail: string;
}

export class NotComputable extends Error {}
