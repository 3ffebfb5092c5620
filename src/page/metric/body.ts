import { type EventRow, type How, type MetricDraft, newDraft, type Treated } from './state.ts';

export type MetricBody = Record<string, unknown>;

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

// The criteria of a single source would apply to all others.
function sources(rows: EventRow[]): MetricBody {
  const all = rows.map(sourceOf);
  return all.length === 1 ? { ...all[0] } : { metricSources: all };
}

export const aggregations: Partial<Record<How, string>> = {
  times: 'count',
  different: 'count_distinct',
  did: 'daily_participation',
  back: 'retention',
  sum: 'sum',
  mean: 'mean',
  max: 'max',
  min: 'min',
  first_value: 'first_value',
  latest_value: 'latest_value',
};

const withoutEvents: ReadonlySet<How> = new Set([
  'different',
  'max',
  'min',
  'first_value',
  'latest_value',
]);

/** Invalid numbers are sent as texts, so that the server names them. */
const keptShare = (capped: unknown) =>
  typeof capped === 'number' ? Number((1 - capped / 100).toPrecision(12)) : capped;

/** Returns how outliers and values before the exposure are treated, without defaults. */
export const treatmentOf = ({ capped, pastDays }: Treated): MetricBody => ({
  ...(capped !== newDraft.capped && { winsorizationHigh: keptShare(capped) }),
  ...(pastDays !== newDraft.pastDays && { cupedAttributionWindow: pastDays }),
});

/** Returns the time after the exposure that counts. */
export const windowOf = ({ window, from, to }: Treated): MetricBody => ({
  rollupTimeWindow: window,
  ...(window === 'custom' && { customRollUpStart: from, customRollUpEnd: to }),
});

const ownTypes: Partial<Record<How, string>> = { sum: 'sum', mean: 'mean', did: 'event_user' };

/** Returns the part of `warehouseNative` that lists the measured events. */
export function nativeOf({ card, how, rows, ...draft }: MetricDraft): MetricBody {
  if (card === 'funnel')
    return {
      aggregation: 'funnel',
      funnelEvents: rows.map(({ name, criteria }) => ({ name, metricSourceName: name, criteria })),
      funnelStrictOrdering: draft.isOrdered,
      funnelStartCriteria: draft.startsAtExposure ? 'exposure' : 'start_event',
      ...(draft.within !== '' && { funnelCalculationWindow: draft.within }),
    };
  if (how === 'percentile') return { percentile: draft.percentile, ...sources(rows.slice(0, 1)) };
  return {
    aggregation: aggregations[how],
    ...sources(rows),
    ...(how === 'back' && { retentionEnd: draft.backAfter }),
  };
}

function definitionOf(draft: MetricDraft): { type: string; native?: MetricBody } & MetricBody {
  const { card, how, rows, components } = draft;
  const metricEvents = rows.map(metricEvent);
  if (card === 'composite')
    return {
      type: how === 'composite' ? 'composite' : 'composite_sum',
      metricComponentMetrics: components,
    };
  if (card === 'ratio')
    return how === 'metrics'
      ? { type: 'ratio', metricComponentMetrics: components }
      : { type: 'ratio', metricEvents };
  if (card === 'funnel') return { type: 'funnel', native: nativeOf(draft) };
  if (how === 'percentile') return { type: 'percentile', native: nativeOf(draft) };
  if (how === 'back')
    return { type: 'user_warehouse', native: { ...nativeOf(draft), retentionLength: 1 } };
  if (withoutEvents.has(how)) return { type: 'user_warehouse', native: nativeOf(draft) };
  return { type: ownTypes[how] ?? 'event_count_custom', metricEvents };
}

export function metricBody(draft: MetricDraft) {
  const { name, description, directionality, unitType } = draft;
  const { type, native: own, ...definition } = definitionOf(draft);
  const warehouseNative = { ...own, ...treatmentOf(draft) };
  const isUsual = draft.window === 'max' && draft.card !== 'users';
  return {
    ...{ name, description, directionality, unitTypes: [unitType] },
    type,
    ...definition,
    ...(!isUsual && windowOf(draft)),
    ...(Object.keys(warehouseNative).length > 0 && { warehouseNative }),
  };
}

/** Returns the missing input without which the definition is not sent; undefined if complete. */
export function missingInput({ card, how, rows, components }: MetricDraft): string | undefined {
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
