import { dayLength } from '../../base/time.ts';
import type { MetricDefinition } from '../../data/metrics/schema.ts';
import { requirePathKey } from './criteria.ts';
import { type FunnelPlan, type MetricSource, NotComputable, type PlanContext } from './plan.ts';
import { metricSource } from './sources.ts';
import {
  bakeDaysOf,
  denominatorWinsorization,
  inCohort,
  unusedOf,
  winsorizationOf,
} from './units.ts';
import { ownWindow, requireBounded, windowOf } from './windows.ts';

/** Steps are bits of an integer that JavaScript holds exactly. */
const maxSteps = 50;

function funnelSteps(metric: MetricDefinition, context: PlanContext): MetricSource[] {
  const { funnelEventList, warehouseNative: native } = metric;
  if (funnelEventList.length > 0)
    return funnelEventList.map(({ name }) => metricSource(name, [], undefined, context));
  return (native?.funnelEvents ?? []).map(({ metricSourceName, name, criteria }) =>
    metricSource(metricSourceName ?? name, criteria, undefined, context),
  );
}

function funnelCounts({
  funnelCountDistinct,
  warehouseNative: native,
}: MetricDefinition): FunnelPlan['counts'] {
  return native?.funnelCountDistinct === 'sessions' ? 'sessions' : (funnelCountDistinct ?? 'users');
}

export function funnelPlan(metric: MetricDefinition, context: PlanContext): FunnelPlan {
  const native = metric.warehouseNative ?? {};
  const steps = funnelSteps(metric, context);
  if (steps.length === 0) throw new NotComputable('The funnel has no steps.');
  if (steps.length > maxSteps)
    throw new NotComputable(`The funnel has more than ${maxSteps} steps.`);
  const counts = funnelCounts(metric);
  const session =
    native.funnelEvents?.find((step) => step.sessionIdentifierField)?.sessionIdentifierField ??
    null;
  if (counts === 'sessions' && !session)
    throw new NotComputable('The funnel counts sessions and names no field of a session.');
  requirePathKey('metadata', session ?? '');
  const isWinsorized = counts !== 'users';
  const { funnelCalculationWindow: days, funnelTimestampAllowanceMs: allowance = 0 } = native;
  requireBounded('funnelCalculationWindow', days ?? 0);
  requireBounded('funnelTimestampAllowanceMs', allowance, 1);
  return {
    type: 'funnel',
    events: [],
    steps,
    counts,
    within: days === undefined ? null : days * dayLength,
    startsAtExposure:
      native.funnelStartCriteria === 'exposure' || Boolean(native.funnelUseExposureAsFirstEvent),
    isOrdered: native.funnelStrictOrdering !== false,
    allowance: Math.max(0, allowance),
    measuresTime: Boolean(native.funnelTimeToConvert),
    session: counts === 'sessions' ? session : null,
    window: inCohort(windowOf(ownWindow(metric)), context.cohortDays),
    winsorizes: {
      y: isWinsorized ? winsorizationOf(native) : null,
      d: isWinsorized ? denominatorWinsorization(native) : null,
    },
    bakeDays: bakeDaysOf(native),
    unused: unusedOf(native),
  };
}
