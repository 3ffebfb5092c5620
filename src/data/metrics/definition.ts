import { distinct } from '../../base/distinct.ts';
import { counted } from '../../base/english.ts';
import { Problem } from '../../base/problem.ts';
import type { Metric } from './schema.ts';
import type { WarehouseNative } from './warehouse_schema.ts';

type Definition = Pick<
  Metric,
  'type' | 'metricEvents' | 'metricComponentMetrics' | 'funnelEventList' | 'warehouseNative'
>;

interface Way {
  property: keyof Definition;
  isBegun(metric: Definition): boolean;
  lacks(metric: Definition): [string, string] | undefined;
}

type Entries = 'metricEvents' | 'metricComponentMetrics' | 'funnelEventList';

const entries = (property: Entries, minEntries: number): Way => ({
  property,
  isBegun: (metric) => metric[property].length > 0,
  lacks: (metric) =>
    metric[property].length < minEntries
      ? [property, `must have at least ${counted(minEntries, 'entry')}`]
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

const ownEvents: ReadonlySet<Metric['type']> = new Set([
  'mean',
  'event_user',
  'composite_sum',
  'event_count_custom',
]);

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

/** Returns the name of the events that a metric without a definition counts. */
export const impliedEvents = (metric: Definition & Pick<Metric, 'name'>): string[] =>
  ownEvents.has(metric.type) && isBare(metric) ? [metric.name] : [];

/** Throws Problem 400 naming the missing property of the first way that is begun, else of the first way. */
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
