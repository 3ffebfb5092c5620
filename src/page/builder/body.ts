import type { Draft, EventRow, How } from './state.ts';

type Values = Record<string, unknown>;

const defaults = { capped: 0.1, pastDays: 7 };

const metricEvent = ({ name, measure, key, criteria }: EventRow) => ({
  name,
  type: measure,
  criteria,
  ...(measure === 'metadata' && { metadataKey: key }),
});

const sourceOf = ({ name, measure, key, criteria }: EventRow) => ({
  metricSourceName: name,
  criteria,
  ...(measure === 'metadata' && { valueColumn: key }),
});

function sources(rows: EventRow[]): Values {
  const [first, ...others] = rows.map(sourceOf);
  return { ...first, ...(others.length > 0 && { metricSources: others }) };
}

const aggregations: Partial<Record<How, string>> = {
  different: 'count_distinct',
  max: 'max',
  min: 'min',
  first_value: 'first_value',
  latest_value: 'latest_value',
};

/** Invalid numbers are sent as texts, so that the server names them. */
const keptShare = (capped: unknown) =>
  typeof capped === 'number' ? Number((1 - capped / 100).toPrecision(12)) : capped;

function settingsOf({ window, from, to, capped, pastDays, card }: Draft) {
  const native: Values = {
    ...(capped !== defaults.capped && { winsorizationHigh: keptShare(capped) }),
    ...(pastDays !== defaults.pastDays && { cupedAttributionWindow: pastDays }),
  };
  const custom = { customRollUpStart: from, customRollUpEnd: to };
  const isUsual = window === 'max' && card !== 'users';
  return {
    native,
    window: isUsual ? {} : { rollupTimeWindow: window, ...(window === 'custom' && custom) },
  };
}

const ownTypes: Partial<Record<How, string>> = { sum: 'sum', mean: 'mean', did: 'event_user' };

function definitionOf(draft: Draft): { type: string; native?: Values } & Values {
  const { card, how, rows, components } = draft;
  const metricEvents = rows.map(metricEvent);
  const aggregation = aggregations[how];
  if (card === 'composite')
    return {
      type: how === 'composite' ? 'composite' : 'composite_sum',
      metricComponentMetrics: components,
    };
  if (card === 'ratio')
    return how === 'metrics'
      ? { type: 'ratio', metricComponentMetrics: components }
      : { type: 'ratio', metricEvents };
  if (card === 'funnel')
    return {
      type: 'funnel',
      native: {
        aggregation: 'funnel',
        funnelEvents: rows.map(({ name, criteria }) => ({
          name,
          metricSourceName: name,
          criteria,
        })),
        funnelStrictOrdering: draft.isOrdered,
        funnelStartCriteria: draft.startsAtExposure ? 'exposure' : 'start_event',
        ...(draft.within !== '' && { funnelCalculationWindow: draft.within }),
      },
    };
  if (how === 'percentile')
    return {
      type: 'percentile',
      native: { percentile: draft.percentile, ...sources(rows.slice(0, 1)) },
    };
  if (how === 'back')
    return {
      type: 'user_warehouse',
      native: {
        ...{ aggregation: 'retention', ...sources(rows) },
        ...{ retentionEnd: draft.backAfter, retentionLength: 1 },
      },
    };
  if (aggregation) return { type: 'user_warehouse', native: { aggregation, ...sources(rows) } };
  return { type: ownTypes[how] ?? 'event_count_custom', metricEvents };
}

/** Returns the body of the creation. */
export function bodyOf(draft: Draft) {
  const { name, description, directionality, unitType } = draft;
  const { type, native: own, ...definition } = definitionOf(draft);
  const { native, window } = settingsOf(draft);
  const warehouseNative = { ...own, ...native };
  return {
    ...{ name, description, directionality, unitTypes: [unitType] },
    type,
    ...definition,
    ...window,
    ...(Object.keys(warehouseNative).length > 0 && { warehouseNative }),
  };
}

/** Returns the missing input without which the definition is not sent; undefined if complete. */
export function missingIn({ card, how, rows, components }: Draft): string | undefined {
  const isOfMetrics = card === 'composite' || how === 'metrics';
  const least = card === 'ratio' ? 2 : 1;
  if (isOfMetrics)
    return components.length < least
      ? `Choose ${least === 2 ? 'two metrics' : 'a metric'}`
      : undefined;
  if (rows.some(({ name }) => name.trim() === '')) return 'Name each event';
  if (rows.some(({ measure, key }) => measure === 'metadata' && key.trim() === ''))
    return 'Name the metadata that counts';
  return undefined;
}
