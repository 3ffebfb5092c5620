import { dayLength } from '../../base/time.ts';
import type { MetricDefinition } from '../../data/metrics/schema.ts';
import type { WarehouseNative } from '../../data/metrics/warehouse_schema.ts';
import { funnelPlan } from './funnel.ts';
import {
  type Aggregate,
  type MetricPlan,
  NotComputable,
  type PlanContext,
  type Term,
  type UnitsPlan,
} from './plan.ts';
import { metricSource, termsOf, warehouseSources } from './sources.ts';
import { bakeDaysOf, inCohort, unitsPlan, unusedOf } from './units.ts';
import { ownWindow, retentionWindow, windowOf } from './windows.ts';

type Aggregation = NonNullable<WarehouseNative['aggregation']>;

const single: Partial<Record<Aggregation, Aggregate>> = {
  count: 'count',
  sum: 'sum',
  daily_participation: 'daily_share',
  count_distinct: 'distinct',
  max: 'max',
  min: 'min',
  first_value: 'first',
  latest_value: 'latest',
};

const withPast: ReadonlySet<Aggregate> = new Set(['count', 'sum', 'daily_share', 'distinct']);

function sideTerms(
  aggregation: Aggregation,
  native: WarehouseNative,
  context: PlanContext,
  rest: Partial<Term>,
): Term[] {
  const aggregate = single[aggregation];
  if (!aggregate)
    throw new NotComputable(`The aggregation ${aggregation} cannot be part of a ratio.`);
  return termsOf(aggregate, warehouseSources(native, context), rest);
}

const ofDenominator = (native: WarehouseNative): WarehouseNative => ({
  ...native,
  metricSourceName: native.denominatorMetricSourceName ?? native.metricSourceName,
  metricSources: native.denominatorMetricSourceName ? [] : native.metricSources,
  valueColumn: native.denominatorValueColumn ?? native.valueColumn,
  criteria: native.denominatorCriteria ?? native.criteria,
});

/** Returns the window of the denominator, by default that of the metric. */
export function denominatorWindow(metric: MetricDefinition) {
  const native = metric.warehouseNative ?? {};
  if (!native.denominatorRollupTimeWindow) return windowOf(ownWindow(metric));
  const given = {
    rollupTimeWindow: native.denominatorRollupTimeWindow,
    customRollUpStart: native.denominatorCustomRollupStart,
    customRollUpEnd: native.denominatorCustomRollupEnd,
    inMinutes: native.denominatorCustomRollupMeasureInMinutes,
  };
  return windowOf(given, {
    start: 'denominatorCustomRollupStart',
    end: 'denominatorCustomRollupEnd',
  });
}

function ratioPlan(
  metric: MetricDefinition,
  native: WarehouseNative,
  context: PlanContext,
): UnitsPlan {
  const { numeratorAggregation, denominatorAggregation, cap = null } = native;
  if (!numeratorAggregation || !denominatorAggregation)
    throw new NotComputable('The ratio has no aggregations of numerator and denominator.');
  const y = sideTerms(numeratorAggregation, native, context, {
    window: windowOf(ownWindow(metric)),
    cap,
  });
  const d = sideTerms(denominatorAggregation, ofDenominator(native), context, {
    window: denominatorWindow(metric),
  });
  const hasPast = [...y, ...d].every(({ aggregate }) => withPast.has(aggregate));
  return unitsPlan(metric, context, { y, d, isWinsorized: true, hasPast });
}

function retentionPlan(
  metric: MetricDefinition,
  native: WarehouseNative,
  context: PlanContext,
): UnitsPlan {
  const { retentionEnd: end = 7, retentionLength: length = 1 } = native;
  const window = retentionWindow(end, length);
  return unitsPlan(metric, context, {
    y: termsOf('any', warehouseSources(native, context), { window }),
    isWinsorized: false,
    hasPast: false,
    matures: { since: 'day', after: (end + 1) * dayLength },
  });
}

function componentsPlan(
  metric: MetricDefinition,
  native: WarehouseNative,
  context: PlanContext,
): UnitsPlan {
  const window = windowOf(ownWindow(metric));
  const y = (native.components ?? []).flatMap((part) => {
    const aggregate = single[part.aggregation ?? 'count'];
    if (!aggregate)
      throw new NotComputable(`The aggregation ${part.aggregation} cannot be a component.`);
    if (part.operator && !['+', '-'].includes(part.operator))
      throw new NotComputable(`The operator ${part.operator} is neither + nor -.`);
    const sign = part.operator === '-' ? (-1 as const) : (1 as const);
    const source = metricSource(part.metricSourceName, part.criteria, part.valueColumn, context);
    return termsOf(aggregate, [source], { sign, window });
  });
  const hasPast = y.every(({ aggregate }) => withPast.has(aggregate));
  return unitsPlan(metric, context, { y, isWinsorized: true, hasPast });
}

function percentilePlan(
  metric: MetricDefinition,
  native: WarehouseNative,
  context: PlanContext,
): MetricPlan {
  const { percentile = 0.5, metricSourceName, criteria, valueColumn } = native;
  const p = percentile > 1 ? percentile / 100 : percentile;
  if (!(p > 0 && p < 1)) throw new NotComputable('The percentile is not between 0 and 100.');
  return {
    type: 'percentile',
    events: [],
    p,
    source: metricSource(metricSourceName, criteria, valueColumn, context),
    window: inCohort(windowOf(ownWindow(metric)), context.cohortDays),
    bakeDays: bakeDaysOf(native),
    unused: unusedOf(native),
  };
}

/** Returns the plan of a metric by its `warehouseNative`, whose sources are events by name. */
export function warehousePlan(metric: MetricDefinition, context: PlanContext): MetricPlan {
  const { warehouseNative: native } = metric;
  if (!native) throw new NotComputable('The metric names no events.');
  const { aggregation, cap = null } = native;
  if (metric.type === 'percentile' || aggregation === 'percentile')
    return percentilePlan(metric, native, context);
  if (native.components?.length) return componentsPlan(metric, native, context);
  if (native.numeratorAggregation) return ratioPlan(metric, native, context);
  if (aggregation === 'funnel' || native.funnelEvents?.length) return funnelPlan(metric, context);
  if (aggregation === 'retention') return retentionPlan(metric, native, context);
  if (!aggregation) throw new NotComputable('The metric has no aggregation.');
  const window = windowOf(ownWindow(metric));
  const sources = warehouseSources(native, context);
  if (aggregation === 'mean')
    return unitsPlan(metric, context, {
      y: termsOf('sum', sources, { window, cap }),
      d: termsOf('numbers', sources, { window }),
      isWinsorized: true,
      hasPast: true,
    });
  const aggregate = single[aggregation];
  if (!aggregate) throw new NotComputable(`The aggregation ${aggregation} has no sources.`);
  const isAdditive = aggregate === 'count' || aggregate === 'sum';
  return unitsPlan(metric, context, {
    y: termsOf(aggregate, sources, { window, cap: isAdditive ? cap : null }),
    isWinsorized: aggregate !== 'daily_share',
    hasPast: withPast.has(aggregate),
  });
}
