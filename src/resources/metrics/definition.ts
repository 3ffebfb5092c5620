import { Problem } from '../../problem.ts';
import { distinct } from '../../shared/distinct.ts';
import { counted } from '../../shared/english.ts';
import type { Metric } from './schema.ts';
import type { WarehouseNative } from './warehouse_schema.ts';

type Definition = Pick<
  Metric,
  'type' | 'metricEvents' | 'metricComponentMetrics' | 'funnelEventList' | 'warehouseNative'
>;

/** One way to say how a metric is computed. */
interface Way {
  property: keyof Definition;
  /** Whether the metric says something of it. */
  isBegun(metric: Definition): boolean;
  /** What is missing for it to be whole, as property and message; nothing where it is. */
  lacks(metric: Definition): [string, string] | undefined;
}

type Entries = 'metricEvents' | 'metricComponentMetrics' | 'funnelEventList';

const entries = (property: Entries, least: number): Way => ({
  property,
  isBegun: (metric) => metric[property].length > 0,
  lacks: (metric) =>
    metric[property].length < least
      ? [property, `must have at least ${counted(least, 'entry')}`]
      : undefined,
});

const summedEvents: Way = {
  ...entries('metricEvents', 1),
  lacks: ({ metricEvents }) =>
    metricEvents.some(({ type }) => type === 'value' || type === 'metadata')
      ? undefined
      : ['metricEvents', 'must have an entry of type value or metadata'],
};

const isEmpty = (value: unknown) =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

const warehouse = (...needed: (keyof WarehouseNative)[]): Way => ({
  property: 'warehouseNative',
  isBegun: ({ warehouseNative }) => warehouseNative !== undefined,
  lacks: ({ warehouseNative }) => {
    const missing = needed.find((property) => isEmpty(warehouseNative?.[property]));
    return missing && [`warehouseNative.${missing}`, 'is required'];
  },
});

const composed = [entries('metricComponentMetrics', 1), warehouse('components')];
const aggregated = [entries('metricEvents', 1), warehouse('aggregation')];

/** The types that count the events of the metric's own name where nothing else is said. */
const ownEvents: ReadonlySet<Metric['type']> = new Set([
  'mean',
  'event_user',
  'composite_sum',
  'event_count_custom',
]);

/** The ways to compute each type of metric, one of which must be complete. A type without any counts its own events. */
const waysOf: Record<Metric['type'], Way[]> = {
  ratio: [
    entries('metricEvents', 2),
    entries('metricComponentMetrics', 2),
    warehouse('numeratorAggregation', 'denominatorAggregation'),
  ],
  funnel: [entries('funnelEventList', 2), warehouse('funnelEvents')],
  composite: composed,
  composite_sum: [...composed, entries('metricEvents', 1)],
  sum: [summedEvents, warehouse('aggregation'), warehouse('components')],
  mean: aggregated,
  event_user: aggregated,
  event_count_custom: [],
  user_warehouse: [
    warehouse('aggregation'),
    warehouse('numeratorAggregation', 'denominatorAggregation'),
    warehouse('components'),
    warehouse('funnelEvents'),
  ],
  percentile: [warehouse('percentile')],
  undefined: aggregated,
};

const isBare = (metric: Definition) =>
  ![...waysOf[metric.type], ...aggregated].some((way) => way.isBegun(metric));

/** The name of the events that a metric counts because it says nothing else; none where it does. */
export const impliedEvents = (metric: Definition & Pick<Metric, 'name'>): string[] =>
  ownEvents.has(metric.type) && isBare(metric) ? [metric.name] : [];

/**
 * Refuses a metric that says too little to be computed.
 * @throws Problem 400 that names what is missing in the way that the metric has begun, else in the first
 */
export function requireDefinition(metric: Definition): void {
  if (ownEvents.has(metric.type) && isBare(metric)) return;
  const ways = waysOf[metric.type];
  const way = ways.find((one) => one.isBegun(metric)) ?? ways[0];
  const lack = way?.lacks(metric);
  if (!lack || ways.some((one) => !one.lacks(metric))) return;
  const [property, must] = lack;
  const others = distinct(ways.map((one) => one.property)).filter((one) => one !== way?.property);
  const instead = others.length > 0 ? `; or give ${others.join(' or ')} instead` : '';
  throw Problem.property(property, `${must} for the type ${metric.type}${instead}`);
}
