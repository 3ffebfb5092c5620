import { valueInWords } from '../base/compare_values.ts';
import type { Metric } from '../base/types.ts';
import { nameOf } from '../base/words.ts';
import { criteriaInWords } from './criteria_words.ts';
import { type Criterion, type EventRow, measures } from './state.ts';
import { isImpliedMetric, sourcesIn, type WarehouseNative } from './stored.ts';

export interface MetricPart {
  label: string;
  event: string;
  measure: string;
  where: string;
}

const aggregationWords: Partial<Record<string, string>> = {
  count: 'times',
  sum: 'the total',
  mean: 'the mean',
  daily_participation: 'the share of days',
  count_distinct: 'different values',
  first_value: 'the first value',
  latest_value: 'the latest value',
  max: 'the largest value',
  min: 'the smallest value',
};

const ofField = (key: string | undefined) => (key && key !== 'value' ? ` of its ${key}` : '');

const measureOf = ({ measure, key }: Pick<EventRow, 'measure' | 'key'>) =>
  measure === 'metadata' ? `its ${key}` : measures[measure];

interface MetricSide {
  label: string;
  aggregation: string | undefined;
  event: string | undefined;
  column: string | undefined;
  criteria: Criterion[] | undefined;
}

const sideOf = ({
  label,
  aggregation = 'count',
  event = '',
  column,
  criteria = [],
}: MetricSide) => ({
  ...{ label, event, where: criteriaInWords(criteria) },
  measure: `${aggregationWords[aggregation] ?? aggregation}${ofField(column)}`,
});

const ratioSides = (native: WarehouseNative): MetricPart[] => [
  ...sourcesIn(native).map(({ name, measure, key, criteria }) =>
    sideOf({
      ...{ label: 'Numerator', aggregation: native.numeratorAggregation, event: name, criteria },
      column: measure === 'metadata' ? key : undefined,
    }),
  ),
  sideOf({
    label: 'Denominator',
    aggregation: native.denominatorAggregation,
    event: native.denominatorMetricSourceName ?? native.metricSourceName,
    column: native.denominatorValueColumn ?? native.valueColumn,
    criteria: native.denominatorCriteria ?? native.criteria,
  }),
];

const componentSides = ({ components = [] }: WarehouseNative): MetricPart[] =>
  components.map(({ operator, aggregation, metricSourceName, valueColumn, criteria }) =>
    sideOf({
      ...{ label: operator === '-' ? 'Minus' : 'Plus', aggregation, criteria },
      ...{ event: metricSourceName, column: valueColumn },
    }),
  );

export const isFunnel = ({ type, funnelEventList, warehouseNative }: Metric) =>
  type === 'funnel' || funnelEventList.length > 0 || warehouseNative?.aggregation === 'funnel';

const numbered = (noun: string) => (part: Omit<MetricPart, 'label'>, index: number) => ({
  ...part,
  label: `${noun} ${index + 1}`,
});

function funnelParts({ funnelEventList, warehouseNative }: Metric): MetricPart[] {
  const all =
    funnelEventList.length > 0
      ? funnelEventList.map(({ name }) => ({ name, criteria: [] }))
      : (warehouseNative?.funnelEvents ?? []).map(({ metricSourceName, name, criteria = [] }) => ({
          name: metricSourceName ?? name ?? '',
          criteria,
        }));
  return all
    .map(({ name, criteria }) => ({ event: name, measure: '', where: criteriaInWords(criteria) }))
    .map(numbered('Step'));
}

function ownParts({ type, metricEvents }: Metric): MetricPart[] {
  const isCounted = ['event_count_custom', 'event_user'].includes(type);
  const parts = metricEvents.map(({ name, type: measure, metadataKey = '', criteria }) => ({
    event: name,
    measure: isCounted ? '' : measureOf({ measure, key: metadataKey }),
    where: criteriaInWords(criteria),
  }));
  if (type === 'ratio')
    return parts.map((part, at) => ({ ...part, label: at === 0 ? 'Numerator' : 'Denominator' }));
  return parts.map(numbered('Event'));
}

const withoutValue: ReadonlySet<string> = new Set(['count', 'daily_participation', 'retention']);

/** Returns the events of a metric, with what counts of them and under which conditions. */
export function metricParts(metric: Metric): MetricPart[] {
  const { warehouseNative: native = {}, metricEvents, lineage } = metric;
  if (isFunnel(metric)) return funnelParts(metric);
  if (metricEvents.length > 0) return ownParts(metric);
  if (isImpliedMetric(metric))
    return lineage.events
      .map((event) => ({ event, measure: '', where: criteriaInWords([]) }))
      .map(numbered('Event'));
  if (native.components?.length) return componentSides(native);
  if (native.numeratorAggregation) return ratioSides(native);
  return sourcesIn(native)
    .map(({ name, criteria, ...row }) => ({
      ...{ event: name, where: criteriaInWords(criteria) },
      measure: withoutValue.has(native.aggregation ?? '') ? '' : measureOf(row),
    }))
    .map(numbered('Event'));
}

function funnelSentence({ funnelCountDistinct, warehouseNative: native = {} }: Metric): string {
  const { funnelCalculationWindow: days, funnelStrictOrdering, funnelStartCriteria } = native;
  const counted =
    native.funnelCountDistinct === 'sessions' ? 'sessions' : (funnelCountDistinct ?? 'users');
  const order = funnelStrictOrdering === false ? 'in any order' : 'in order';
  const within = days === undefined ? '' : ` within ${days === 1 ? '1 day' : `${days} days`}`;
  const isLate = funnelStartCriteria === 'exposure' || native.funnelUseExposureAsFirstEvent;
  return native.funnelTimeToConvert
    ? `The time from the first step to the last, ${order}${within}.`
    : `Of ${counted} with ${isLate ? 'an exposure' : 'step 1'}, the share that finishes all steps ${order}${within}.`;
}

const percentileIn = ({ percentile = 50 }: WarehouseNative) =>
  percentile > 1 ? percentile : Number((percentile * 100).toPrecision(12));

function nativeSentence(native: WarehouseNative): string {
  const { aggregation, components, numeratorAggregation, retentionEnd = 7 } = native;
  if (aggregation === 'percentile' || (!aggregation && native.percentile !== undefined))
    return `The ${percentileIn(native)}th percentile of a number of all events.`;
  if (components?.length) return 'Per user: the sum of these parts.';
  if (numeratorAggregation) return 'One over another, of all users together.';
  if (aggregation === 'retention')
    return `The share of users who came back and did any of these events ${retentionEnd} days after their first day.`;
  return aggregationSentence(aggregation);
}

function aggregationSentence(aggregation: string | undefined): string {
  if (aggregation === undefined) return 'Nothing says what is measured.';
  if (aggregation === 'count') return 'Per user: how often any of these events happens.';
  if (aggregation === 'daily_participation')
    return 'The share of users who did any of these events on a day.';
  if (aggregation === 'count_distinct')
    return 'Per user: how many different values these events have.';
  return `Per user: ${aggregationWords[aggregation] ?? aggregation} of these events.`;
}

const ownAggregations: Partial<Record<Metric['type'], string>> = {
  event_count_custom: 'count',
  sum: 'sum',
  mean: 'mean',
};

/** Returns what a metric measures, in a sentence. */
export function metricSentence(metric: Metric, isDaily: boolean): string {
  const { type, metricEvents, metricComponentMetrics, warehouseNative: native = {} } = metric;
  if (isFunnel(metric)) return funnelSentence(metric);
  if (metricComponentMetrics.length > 0)
    return type === 'ratio'
      ? 'The first metric over the second, of all users together.'
      : 'Per user: the sum of these metrics.';
  if (metricEvents.length === 0 && !isImpliedMetric(metric))
    return type === 'percentile'
      ? nativeSentence({ ...native, aggregation: 'percentile' })
      : nativeSentence(native);
  if (type === 'event_user')
    return `The share of users who did any of these events ${isDaily ? 'on a day' : 'at least once'}.`;
  if (type === 'ratio') return 'One over another, of all users together.';
  const aggregation = ownAggregations[type];
  return aggregation ? aggregationSentence(aggregation) : 'Per user: the sum of these events.';
}

const told: ReadonlySet<string> = new Set([
  ...['aggregation', 'metricSourceName', 'metricSources', 'valueColumn', 'criteria', 'components'],
  ...['numeratorAggregation', 'denominatorAggregation', 'denominatorMetricSourceName'],
  ...['denominatorValueColumn', 'denominatorCriteria', 'percentile', 'retentionEnd'],
  ...['funnelEvents', 'funnelStrictOrdering', 'funnelStartCriteria', 'funnelCalculationWindow'],
  ...['funnelCountDistinct', 'funnelUseExposureAsFirstEvent', 'funnelTimeToConvert'],
  ...['winsorizationHigh', 'cupedAttributionWindow', 'rollupTimeWindow'],
  ...['customRollUpStart', 'customRollUpEnd'],
]);

function settingInWords(property: string, value: unknown, native: WarehouseNative): string {
  if (property !== 'metricDimensionLimits') return valueInWords(value);
  return (native.metricDimensionLimits ?? [])
    .map(({ name, limit }) => `${name}: ${limit}`)
    .join(', ');
}

/** Returns the other settings of `warehouseNative`, by name. */
export const othersIn = ({ warehouseNative: native = {} }: Metric): [string, string][] =>
  Object.entries(native)
    .filter(([property]) => !told.has(property))
    .map(([property, value]) => [nameOf(property), settingInWords(property, value, native)]);
