import type { MetricDefinition } from '../../data/metrics/schema.ts';
import type { WarehouseNative } from '../../data/metrics/warehouse_schema.ts';
import {
  NotComputable,
  type PlanContext,
  type Quantity,
  type Term,
  type UnitsPlan,
  type Window,
} from './plan.ts';
import { cohortWindow, requireBounded, wholeDays } from './windows.ts';

const defaultPastDays = 7;
const defaultHigh = 0.999;

/** Returns which share of the non-zero units keeps its values; the rest is set to the nearest of these. */
export const winsorizationOf = ({ winsorizationHigh, winsorizationLow }: WarehouseNative = {}) => ({
  high: winsorizationHigh ?? defaultHigh,
  low: winsorizationLow ?? 0,
});

export const denominatorWinsorization = ({
  winsorizationHighDenominator,
  winsorizationLowDenominator,
}: WarehouseNative = {}) =>
  winsorizationOf({
    winsorizationHigh: winsorizationHighDenominator,
    winsorizationLow: winsorizationLowDenominator,
  });

/** Narrows a window to the days of a cohort analysis. */
export function inCohort(window: Window | null, cohortDays: number | null): Window | null {
  if (cohortDays === null) return window;
  const cohort = cohortWindow(cohortDays);
  if (!window) return cohort;
  if (window.since === 'day') return window;
  const { from, to } = window;
  return { since: 'exposure', from: Math.max(from, cohort.from), to: Math.min(to, cohort.to) };
}

function maturity(terms: readonly Term[], waits: boolean): UnitsPlan['matures'] {
  const windows = terms.flatMap(({ window }) => window ?? []);
  if (!waits || windows.length === 0) return null;
  const since = windows.some((window) => window.since === 'exposure') ? 'exposure' : 'day';
  return { since, after: Math.max(...windows.map(({ to }) => to)) };
}

const unusedFields = [
  'loadingWindow',
  'surrogateMetricMSE',
  'useSecondaryRetentionEvent',
  'metricDimensionColumns',
  'metricDimensionLimits',
] as const;

const isGivenSetting = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined;

export const unusedOf = (native: WarehouseNative = {}): string[] =>
  unusedFields.filter((field) => isGivenSetting(native[field]));

export function bakeDaysOf({ metricBakeDays = 0 }: WarehouseNative): number {
  requireBounded('metricBakeDays', metricBakeDays);
  return Math.max(0, Math.ceil(metricBakeDays));
}

function pastDaysOf({ cupedAttributionWindow: days = defaultPastDays }: WarehouseNative) {
  requireBounded('cupedAttributionWindow', days);
  return days > 0 ? Math.ceil(days) : null;
}

function logBaseOf({ useLogTransform, logTransformBase = Math.E }: WarehouseNative) {
  if (!useLogTransform) return null;
  if (logTransformBase <= 0 || logTransformBase === 1)
    throw new NotComputable('The base of the logarithm is not positive, or 1.');
  return logTransformBase;
}

interface PlanTerms {
  y: Term[];
  d?: Term[] | undefined;
  isWinsorized: boolean;
  hasPast: boolean;
  matures?: UnitsPlan['matures'];
}

/** Returns the plan of a metric with one or two numbers of each unit. */
export function unitsPlan(
  { warehouseNative: native = {} }: Pick<MetricDefinition, 'warehouseNative'>,
  { cohortDays, waitsForCohort }: PlanContext,
  { y, d, isWinsorized, hasPast, matures = null }: PlanTerms,
): UnitsPlan {
  if (y.length === 0 || d?.length === 0) throw new NotComputable('The metric names no events.');
  const within = (terms: Term[]) =>
    terms.map((term) => {
      const window = inCohort(term.window, cohortDays);
      return { ...term, window: term.uploaded ? wholeDays(window) : window };
    });
  const quantity = (terms: Term[], winsorize: Quantity['winsorize']): Quantity => ({
    terms: within(terms),
    winsorize: isWinsorized ? winsorize : null,
  });
  const waits = Boolean(native.waitForCohortWindow) || waitsForCohort;
  return {
    type: 'units',
    events: [],
    y: quantity(y, winsorizationOf(native)),
    d: d ? quantity(d, denominatorWinsorization(native)) : null,
    pastDays: hasPast ? pastDaysOf(native) : null,
    matures: matures ?? maturity(within([...y, ...(d ?? [])]), waits),
    threshold: native.valueThreshold ?? null,
    logBase: logBaseOf(native),
    onlyConverted: Boolean(native.onlyIncludeUsersWithConversionEvent),
    keepsNullDenominators: Boolean(native.allowNullRatioDenominator),
    bakeDays: bakeDaysOf(native),
    unused: unusedOf(native),
  };
}
