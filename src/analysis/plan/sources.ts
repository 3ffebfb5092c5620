import type { WarehouseNative } from '../../data/metrics/warehouse_schema.ts';
import { requireComputable, requirePathKey } from './criteria.ts';
import {
  type Aggregate,
  type Criterion,
  type MetricSource,
  NotComputable,
  type Term,
} from './plan.ts';

const joint: ReadonlySet<Aggregate> = new Set([
  'days',
  'daily_share',
  'any',
  'distinct',
  'max',
  'min',
  'first',
  'latest',
]);

/** Returns the terms of an aggregate over some sources: one if they are counted or capped together. */
export function termsOf(
  aggregate: Aggregate,
  sources: MetricSource[],
  rest: Partial<Pick<Term, 'sign' | 'cap' | 'window'>> = {},
): Term[] {
  const common = { sign: 1 as const, cap: null, window: null, ...rest, aggregate };
  const isCapped = common.cap !== null && sources.length > 0;
  if (joint.has(aggregate) || isCapped) return [{ ...common, sources }];
  return sources.map((source) => ({ ...common, sources: [source] }));
}

export interface Attributes {
  dimensions: readonly string[];
}

/** Returns a source. @throws NotComputable naming a criterion that cannot be applied to events */
export function metricSource(
  event: string | undefined,
  criteria: readonly Criterion[] = [],
  key: string | undefined = undefined,
  { dimensions }: Attributes,
): MetricSource {
  if (!event) throw new NotComputable('The metric names no events.');
  requirePathKey('metadata', key ?? '');
  for (const criterion of criteria) requireComputable(criterion, dimensions);
  return { event, criteria: [...criteria], key: !key || key === 'value' ? null : key };
}

type SourceOptions = Pick<
  WarehouseNative,
  'metricSourceName' | 'metricSources' | 'criteria' | 'valueColumn'
>;

/** Returns the sources of a warehouse metric: its own, or several. */
export function warehouseSources(given: SourceOptions, attributes: Attributes): MetricSource[] {
  const { metricSourceName, metricSources = [], criteria = [], valueColumn } = given;
  const own = metricSourceName
    ? [metricSource(metricSourceName, criteria, valueColumn, attributes)]
    : [];
  const others = metricSources
    .filter((source) => source.metricSourceName !== metricSourceName)
    .map((source) =>
      metricSource(
        source.metricSourceName,
        [...criteria, ...(source.criteria ?? [])],
        source.valueColumn ?? valueColumn,
        attributes,
      ),
    );
  const sources = [...own, ...others];
  if (sources.length === 0) throw new NotComputable('The metric names no source of events.');
  return sources;
}
