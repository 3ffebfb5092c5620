import type * as z from 'zod';
import type { criteria } from '../../data/metrics/criteria.ts';
import type { MetricDefinition } from '../../data/metrics/schema.ts';

export type Criterion = z.infer<typeof criteria>[number];

export interface PlanContext {
  unitType: string;
  dimensions: readonly string[];
  cohortDays: number | null;
  waitsForCohort: boolean;
  find(metricID: string): MetricDefinition | undefined;
  /** The metrics that are computed from uploaded values. */
  uploaded?: readonly string[];
}

export interface UploadedColumn {
  metricName: string;
  metricType: string;
  column: 'value' | 'numerator' | 'denominator';
}

export interface MetricSource {
  event: string;
  criteria: Criterion[];
  key: string | null;
}

export type Aggregate =
  | 'count'
  | 'sum'
  | 'numbers'
  | 'days'
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
  sources: MetricSource[];
  cap: number | null;
  window: Window | null;
  uploaded?: UploadedColumn;
}

export interface Quantity {
  terms: Term[];
  winsorize: { high: number; low: number } | null;
}

interface Common {
  events: string[];
  /** The metrics whose uploaded values are read. */
  uploads?: string[];
  bakeDays: number;
  unused: string[];
}

export interface UnitsPlan extends Common {
  type: 'units';
  y: Quantity;
  d: Quantity | null;
  pastDays: number | null;
  /** Units need this much time since their exposure, or since the beginning of its day. */
  matures: { since: Window['since']; after: number } | null;
  threshold: number | null;
  logBase: number | null;
  onlyConverted: boolean;
  keepsNullDenominators: boolean;
}

export interface FunnelPlan extends Common {
  type: 'funnel';
  steps: MetricSource[];
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
  source: MetricSource;
  p: number;
  window: Window | null;
}

export type MetricPlan = UnitsPlan | FunnelPlan | PercentilePlan;

export interface NoPlan {
  reason: 'not_computable' | 'unit_type';
  detail: string;
}

export class NotComputable extends Error {}
