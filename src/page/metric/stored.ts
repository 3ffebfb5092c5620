import type { Metric } from '../base/types.ts';
import { aggregations, type MetricBody, nativeOf, treatmentOf, windowOf } from './body.ts';
import {
  type Card,
  type EventRow,
  type How,
  type MetricDraft,
  newDraft,
  type Treated,
} from './state.ts';

export type WarehouseNative = NonNullable<Metric['warehouseNative']>;

const eventKeys = new Set([
  'metricSourceName',
  'metricSources',
  'criteria',
  'valueColumn',
  'funnelCalculationWindow',
  'funnelUseExposureAsFirstEvent',
]);

const treatmentKeys = new Set([
  'winsorizationHigh',
  'cupedAttributionWindow',
  'rollupTimeWindow',
  'customRollUpStart',
  'customRollUpEnd',
]);

const nativeWithout = (
  native: WarehouseNative | undefined,
  keys: ReadonlySet<string>,
): MetricBody => Object.fromEntries(Object.entries(native ?? {}).filter(([key]) => !keys.has(key)));

const cardOf: Partial<Record<How, Card>> = {
  times: 'events',
  different: 'events',
  did: 'users',
  back: 'users',
};

const rowOf = (name = '', key: string | undefined, criteria: EventRow['criteria']): EventRow => ({
  ...{ name, criteria, key: key === 'value' ? '' : (key ?? '') },
  measure: key === undefined || key === 'value' ? 'value' : 'metadata',
});

/** Returns the events of a metric from the warehouse; the criteria of the first source apply to all. */
export function sourcesIn(native: WarehouseNative): EventRow[] {
  const { metricSourceName, metricSources = [], criteria = [], valueColumn } = native;
  const others = metricSources
    .filter((source) => source.metricSourceName !== metricSourceName)
    .map((source) =>
      rowOf(source.metricSourceName, source.valueColumn ?? valueColumn, [
        ...criteria,
        ...(source.criteria ?? []),
      ]),
    );
  return metricSourceName === undefined
    ? others
    : [rowOf(metricSourceName, valueColumn, criteria), ...others];
}

function funnelIn({
  native,
  draft,
}: {
  native: WarehouseNative;
  draft: MetricDraft;
}): MetricDraft | undefined {
  const steps = native.funnelEvents ?? [];
  const isPlain = steps.every(
    ({ name, metricSourceName, sessionIdentifierField }) =>
      (name ?? metricSourceName) === (metricSourceName ?? name) &&
      sessionIdentifierField === undefined,
  );
  if (!isPlain || steps.length === 0) return undefined;
  return {
    ...draft,
    card: 'funnel',
    how: 'users',
    rows: steps.map(({ metricSourceName, name, criteria = [] }) => ({
      ...{ name: metricSourceName ?? name ?? '', measure: 'count', key: '', criteria },
    })),
    within: native.funnelCalculationWindow ?? '',
    isOrdered: native.funnelStrictOrdering !== false,
    startsAtExposure:
      native.funnelStartCriteria === 'exposure' || native.funnelUseExposureAsFirstEvent === true,
  };
}

const howNamed = (aggregation: string | undefined) =>
  Object.entries(aggregations).find(([, one]) => one === aggregation)?.[0];

const isHow = (name: string): name is How => Object.hasOwn(aggregations, name);

/** Whether the metric counts the events of its own name; any `warehouseNative` would end that. */
export const isImpliedMetric = ({ metricEvents, funnelEventList, lineage }: Metric) =>
  metricEvents.length + funnelEventList.length === 0 && lineage.events.length > 0;

/** Returns the draft of a metric whose events can be changed; undefined if they are fixed. */
export function draftOf(metric: Metric): MetricDraft | undefined {
  const { warehouseNative: native, type, metricEvents, metricComponentMetrics } = metric;
  const isOwn = metricEvents.length + metricComponentMetrics.length > 0;
  if (!native || isOwn || metric.funnelEventList.length > 0) return undefined;
  if (native.components || native.numeratorAggregation) return undefined;
  const draft: MetricDraft = { ...newDraft, ...treatedIn(metric), rows: sourcesIn(native) };
  if (type === 'funnel' || native.aggregation === 'funnel') return funnelIn({ native, draft });
  if (type === 'percentile' || native.aggregation === 'percentile')
    return { ...draft, card: 'number', how: 'percentile', percentile: native.percentile ?? 50 };
  const how = howNamed(native.aggregation);
  if (how === undefined || !isHow(how)) return undefined;
  const backAfter = native.retentionEnd ?? newDraft.backAfter;
  return { ...draft, card: cardOf[how] ?? 'number', how, backAfter };
}

/** Returns `warehouseNative` with the events of a draft. */
export const withMeasured = ({ warehouseNative }: Metric, draft: MetricDraft): MetricBody => ({
  ...nativeWithout(warehouseNative, eventKeys),
  ...nativeOf(draft),
});

const isWindow = (name: unknown): name is Treated['window'] =>
  name === 'max' || name === 'daily' || name === 'custom';

function windowIn({ warehouseNative: native, ...metric }: Metric) {
  const given = native?.rollupTimeWindow ? native : metric;
  const { rollupTimeWindow: window, customRollUpStart: from = 0, customRollUpEnd: to = 6 } = given;
  const usual = metric.type === 'event_user' ? 'daily' : 'max';
  return { window: isWindow(window) ? window : usual, from, to } as const;
}

/** Returns how outliers, the window and values before the exposure are treated. */
export function treatedIn(metric: Metric): Treated {
  const { winsorizationHigh: kept, cupedAttributionWindow: pastDays = newDraft.pastDays } =
    metric.warehouseNative ?? {};
  const capped = typeof kept === 'number' ? Number((100 - kept * 100).toPrecision(12)) : kept;
  return { ...windowIn(metric), capped: capped ?? newDraft.capped, pastDays };
}

/** Returns `warehouseNative` with another treatment. */
export function withTreatment(metric: Metric, edits: Partial<Treated>): MetricBody {
  const before = treatedIn(metric);
  const treated = { ...before, ...edits };
  const isWindowed = ['window', 'from', 'to'].some((key) => key in edits);
  const kept = isWindowed || metric.warehouseNative?.rollupTimeWindow;
  return {
    ...nativeWithout(metric.warehouseNative, treatmentKeys),
    ...treatmentOf(treated),
    ...(kept && windowOf(treated)),
  };
}
