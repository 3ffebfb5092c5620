import { distinct } from '../../base/distinct.ts';
import { metricID } from '../../base/naming.ts';
import { sha256Hex } from '../../base/sha256.ts';
import { storedUnitType } from '../../base/unit_types.ts';
import { impliedEvents } from '../../data/metrics/definition.ts';
import type { MetricDefinition } from '../../data/metrics/schema.ts';
import { funnelPlan } from './funnel.ts';
import {
  type MetricPlan,
  type MetricSource,
  type NoPlan,
  NotComputable,
  type PlanContext,
  type Term,
} from './plan.ts';
import { metricSource, termsOf } from './sources.ts';
import { unitsPlan } from './units.ts';
import { uploadedPlan } from './uploads.ts';
import { warehousePlan } from './warehouse.ts';
import { ownWindow, windowOf } from './windows.ts';

type MetricEvent = MetricDefinition['metricEvents'][number];

const maxDepth = 4;

function entriesOf(metric: MetricDefinition): MetricEvent[] {
  const implied = impliedEvents(metric).map((name) => ({
    name,
    type: metric.type === 'mean' ? ('value' as const) : ('count' as const),
    criteria: [],
  }));
  return metric.metricEvents.length > 0 ? metric.metricEvents : implied;
}

const isNumeric = ({ type }: MetricEvent) => type === 'value' || type === 'metadata';

const aggregates = {
  count: 'count',
  count_distinct: 'days',
  value: 'sum',
  metadata: 'sum',
} as const;

function sourcesOf(entries: MetricEvent[], context: PlanContext): MetricSource[] {
  return entries.map(({ name, type, metadataKey, criteria }) =>
    metricSource(name, criteria, type === 'metadata' ? metadataKey : undefined, context),
  );
}

function termsOfEntry(entry: MetricEvent, metric: MetricDefinition, context: PlanContext): Term[] {
  const window = windowOf(ownWindow(metric));
  return termsOf(aggregates[entry.type], sourcesOf([entry], context), { window });
}

/** @throws NotComputable unless it is one number of each unit */
function componentTerms(
  { name, type }: { name: string; type: string },
  context: PlanContext,
  depth: number,
): Term[] {
  const id = metricID({ name, type });
  const metric = context.find(id);
  if (!metric) throw new NotComputable(`The component ${id} does not exist.`);
  const plan = planOfMetric(metric, context, depth + 1);
  if (plan.type !== 'units' || plan.d)
    throw new NotComputable(`The component ${id} is not one number of each unit.`);
  return plan.y.terms;
}

function ratioTerms(
  metric: MetricDefinition,
  context: PlanContext,
  depth: number,
): [Term[], Term[]] {
  const [first, second] = metric.metricEvents;
  if (first && second)
    return [termsOfEntry(first, metric, context), termsOfEntry(second, metric, context)];
  const [one, other] = metric.metricComponentMetrics;
  if (!one || !other) throw new NotComputable('The ratio has no two parts.');
  return [componentTerms(one, context, depth), componentTerms(other, context, depth)];
}

function eventUserTerms(metric: MetricDefinition, context: PlanContext): Term[] {
  const given = ownWindow(metric);
  const isDaily = (given.rollupTimeWindow ?? 'daily') === 'daily';
  const sources = sourcesOf(entriesOf(metric), context);
  return termsOf(isDaily ? 'daily_share' : 'any', sources, { window: windowOf(given) });
}

function ownTerms(
  metric: MetricDefinition,
  context: PlanContext,
  depth: number,
): [Term[], Term[]?] {
  const window = windowOf(ownWindow(metric));
  const cap = metric.warehouseNative?.cap ?? null;
  const entries = entriesOf(metric);
  switch (metric.type) {
    case 'event_count_custom':
      return [termsOf('count', sourcesOf(entries, context), { window, cap })];
    case 'sum':
      return [termsOf('sum', sourcesOf(entries.filter(isNumeric), context), { window, cap })];
    case 'mean': {
      const sources = sourcesOf(entries, context);
      return [termsOf('sum', sources, { window, cap }), termsOf('numbers', sources, { window })];
    }
    case 'ratio':
      return ratioTerms(metric, context, depth);
    case 'event_user':
      return [eventUserTerms(metric, context)];
    case 'composite':
    case 'composite_sum':
      return [
        metric.metricComponentMetrics.length > 0
          ? metric.metricComponentMetrics.flatMap((part) => componentTerms(part, context, depth))
          : entries.flatMap((entry) => termsOfEntry(entry, metric, context)),
      ];
    default:
      throw new NotComputable(`A metric of the type ${metric.type} has no events.`);
  }
}

const hasOwnDefinition = (metric: MetricDefinition): boolean =>
  [metric.metricEvents, metric.metricComponentMetrics, metric.funnelEventList].some(
    ({ length }) => length > 0,
  ) || impliedEvents(metric).length > 0;

function planOfMetric(metric: MetricDefinition, context: PlanContext, depth: number): MetricPlan {
  if (depth > maxDepth) throw new NotComputable('Its components are nested too deeply.');
  if (metric.type === 'undefined') throw new NotComputable('The metric has no type.');
  if (context.uploaded?.includes(metricID(metric))) return uploadedPlan(metric, context);
  if (metric.type === 'funnel') return funnelPlan(metric, context);
  if (metric.type === 'percentile' || !hasOwnDefinition(metric) || metric.type === 'user_warehouse')
    return warehousePlan(metric, context);
  const [y, d] = ownTerms(metric, context, depth);
  const isUser = metric.type === 'event_user';
  return unitsPlan(metric, context, { y, d, isWinsorized: !isUser, hasPast: true });
}

const termsIn = (plan: MetricPlan): Term[] =>
  plan.type === 'units' ? [...plan.y.terms, ...(plan.d?.terms ?? [])] : [];

function sourcesIn(plan: MetricPlan): MetricSource[] {
  if (plan.type === 'funnel') return plan.steps;
  if (plan.type === 'percentile') return [plan.source];
  return termsIn(plan).flatMap(({ sources }) => sources);
}

const uploadedMetrics = (plan: MetricPlan): string[] =>
  distinct(
    termsIn(plan).flatMap(({ uploaded }) =>
      uploaded ? [metricID({ name: uploaded.metricName, type: uploaded.metricType })] : [],
    ),
  );

/** D1 accepts 100 parameters and 100 columns in a statement. */
const most = { terms: 20, criteria: 20 };

function requireSmall(plan: MetricPlan): MetricPlan {
  const sources = sourcesIn(plan);
  if (sources.length > most.terms)
    throw new NotComputable(`The metric has more than ${most.terms} parts.`);
  if (sources.flatMap(({ criteria }) => criteria).length > most.criteria)
    throw new NotComputable(`The metric has more than ${most.criteria} criteria.`);
  return plan;
}

/** Returns how a metric is computed for the units of an analysis, or why it is not. */
export function planMetric(metric: MetricDefinition, context: PlanContext): MetricPlan | NoPlan {
  const types = metric.unitTypes.map(storedUnitType);
  if (!types.includes(context.unitType)) {
    const detail = `The metric is not measured for ${context.unitType}.`;
    return { reason: 'unit_type', detail };
  }
  try {
    const plan = requireSmall(planOfMetric(metric, context, 0));
    const events = distinct(sourcesIn(plan).map(({ event }) => event));
    const uploads = uploadedMetrics(plan);
    return { ...plan, events, ...(uploads.length > 0 && { uploads }) };
  } catch (error) {
    if (error instanceof NotComputable) return { reason: 'not_computable', detail: error.message };
    throw error;
  }
}

export const isPlanned = (plan: MetricPlan | NoPlan): plan is MetricPlan => 'type' in plan;

/** Returns 16 hexadecimal digits that change when a metric is computed differently. */
export const definitionOf = (plan: MetricPlan | NoPlan): string =>
  sha256Hex(JSON.stringify(plan)).slice(0, 16);

const additive: ReadonlySet<Term['aggregate']> = new Set(['count', 'sum']);

/** Whether the numbers of all units add up to a total. */
export const isTotal = (plan: MetricPlan): boolean =>
  plan.type === 'units' &&
  plan.d === null &&
  plan.threshold === null &&
  plan.logBase === null &&
  plan.y.terms.every(({ aggregate }) => additive.has(aggregate));
