import type { MetricDefinition } from '../../data/metrics/schema.ts';
import {
  type Aggregate,
  NotComputable,
  type PlanContext,
  type Term,
  type UnitsPlan,
  type UploadedColumn,
  type Window,
} from './plan.ts';
import { unitsPlan } from './units.ts';
import { denominatorWindow } from './warehouse.ts';
import { ownWindow, windowOf } from './windows.ts';

const ofTypes: Partial<Record<MetricDefinition['type'], Aggregate>> = {
  sum: 'sum',
  event_count_custom: 'sum',
  composite: 'sum',
  composite_sum: 'sum',
};

const ofAggregations: Record<string, Aggregate> = {
  count: 'sum',
  sum: 'sum',
  daily_participation: 'daily_share',
  max: 'max',
  min: 'min',
  first_value: 'first',
  latest_value: 'latest',
};

const withoutPast: ReadonlySet<Aggregate> = new Set(['max', 'min', 'first', 'latest']);

function aggregateOf({ type, warehouseNative: native = {}, ...metric }: MetricDefinition) {
  if (type === 'event_user') {
    const { rollupTimeWindow } = ownWindow({ ...metric, type, warehouseNative: native });
    return (rollupTimeWindow ?? 'daily') === 'daily' ? 'daily_share' : 'any';
  }
  const isOwn = type === 'user_warehouse';
  const aggregation = native.components?.length ? 'sum' : (native.aggregation ?? '');
  const aggregate = isOwn ? ofAggregations[aggregation] : ofTypes[type];
  if (aggregate) return aggregate;
  const what = isOwn && aggregation ? `The aggregation ${aggregation}` : `The type ${type}`;
  throw new NotComputable(`${what} cannot be computed from uploaded values.`);
}

/** Returns the plan of a metric that is computed from its uploaded values of units. */
export function uploadedPlan(metric: MetricDefinition, context: PlanContext): UnitsPlan {
  const { name: metricName, type: metricType, warehouseNative: native = {} } = metric;
  const cap = native.cap ?? null;
  const termsOf = (
    column: UploadedColumn['column'],
    aggregate: Aggregate,
    rest: { window: Window | null; cap: number | null },
  ): Term[] => [
    { sign: 1, aggregate, sources: [], ...rest, uploaded: { metricName, metricType, column } },
  ];
  const window = windowOf(ownWindow(metric));
  const isRatio =
    ['ratio', 'mean'].includes(metricType) ||
    (metricType === 'user_warehouse' &&
      (native.numeratorAggregation !== undefined || native.aggregation === 'mean'));
  if (isRatio)
    return unitsPlan(metric, context, {
      y: termsOf('numerator', 'sum', { window, cap }),
      d: termsOf('denominator', 'sum', { window: denominatorWindow(metric), cap: null }),
      isWinsorized: true,
      hasPast: true,
    });
  const aggregate = aggregateOf(metric);
  return unitsPlan(metric, context, {
    y: termsOf('value', aggregate, { window, cap: aggregate === 'sum' ? cap : null }),
    isWinsorized: aggregate !== 'any' && aggregate !== 'daily_share',
    hasPast: !withoutPast.has(aggregate),
  });
}
