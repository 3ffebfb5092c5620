import * as z from 'zod';
import { listQuery } from '../../operations/query.ts';
import { most } from '../../shared/bounds.ts';
import { criterion } from '../../shared/criteria.ts';
import {
  description,
  displayName,
  metricName,
  nullableText,
  repeatable,
  stamps,
  stampsExample,
  strings,
  tags,
  texts,
} from '../../shared/fields.ts';

/** What a metric computes (contract, metric types). */
export const metricTypes = [
  'ratio',
  'mean',
  'event_count_custom',
  'event_user',
  'funnel',
  'composite',
  'composite_sum',
  'sum',
  'undefined',
  'user_warehouse',
  'percentile',
] as const;
export const directions = ['increase', 'decrease'] as const;

export const metricType = z.enum(metricTypes).meta({ id: 'MetricType' });

/** The name of a metric; its id is `name::type`, and must say where the name ends. */
const name = displayName(3, 200)
  .refine((text) => !text.includes('::'), 'must not contain "::"')
  .meta({ minLength: 3, maxLength: 200 });

const direction = z.enum(directions);

/** The properties of a window of days: which it is, and where one that is custom starts and ends. */
interface RollupWindow {
  window: string;
  start: string;
  end: string;
}

/** Reports what is wrong at the ends of a custom window; one without any is the whole window. */
const customWindow =
  ({ window, start, end }: RollupWindow) =>
  (values: Record<string, unknown>, context: z.RefinementCtx): void => {
    if (values[window] !== 'custom') return;
    const report = (property: string, message: string) =>
      context.addIssue({ code: 'custom', path: [property], message });
    const missing = [start, end].filter((property) => values[property] === undefined);
    const [only, other] = missing;
    if (only && !other) report(only, `is required with ${only === start ? end : start}`);
    if (Number(values[end]) < Number(values[start])) report(end, `must not be before ${start}`);
  };

const ownWindow = customWindow({
  window: 'rollupTimeWindow',
  start: 'customRollUpStart',
  end: 'customRollUpEnd',
});

const denominatorWindow = customWindow({
  window: 'denominatorRollupTimeWindow',
  start: 'denominatorCustomRollupStart',
  end: 'denominatorCustomRollupEnd',
});

const aggregation = z
  .enum([
    'count',
    'sum',
    'mean',
    'daily_participation',
    'ratio',
    'funnel',
    'count_distinct',
    'percentile',
    'first_value',
    'latest_value',
    'retention',
    'max',
    'min',
  ])
  .meta({ id: 'Aggregation' });
const rollupTimeWindow = z.enum(['daily', 'max', 'custom']);
const criteria = z.array(criterion).max(most.entries);
const share = z.number().min(0).max(1);

const metricSource = z
  .object({ metricSourceName: z.string(), criteria, valueColumn: z.string() })
  .partial();

const funnelEvent = z
  .object({
    criteria,
    metricSourceName: z.string(),
    name: z.string(),
    sessionIdentifierField: z.string(),
  })
  .partial();

const component = z
  .object({
    operator: z.string(),
    aggregation,
    metricSourceName: z.string(),
    name: z.string(),
    valueColumn: z.string(),
    criteria,
  })
  .partial();

/** How a warehouse computes a metric (contract, warehouseNative fields; completions, section 2). */
const warehouseNative = z
  .object({
    aggregation,
    numeratorAggregation: aggregation,
    denominatorAggregation: aggregation,
    metricSourceName: z.string(),
    denominatorMetricSourceName: z.string(),
    valueColumn: z.string(),
    denominatorValueColumn: z.string(),
    criteria,
    denominatorCriteria: criteria,
    metricSources: z.array(metricSource).max(most.entries),
    waitForCohortWindow: z.boolean(),
    denominatorCustomRollupStart: z.number(),
    denominatorCustomRollupEnd: z.number(),
    denominatorRollupTimeWindow: rollupTimeWindow,
    rollupTimeWindow,
    funnelCalculationWindow: z.number(),
    funnelCountDistinct: z.enum(['sessions', 'users']),
    funnelEvents: z.array(funnelEvent).max(most.entries),
    funnelStartCriteria: z.enum(['start_event', 'exposure']),
    metricDimensionColumns: texts,
    metricDimensionLimits: z
      .array(z.object({ name: z.string(), limit: z.number() }))
      .max(most.entries),
    metricBakeDays: z.number(),
    loadingWindow: z.number(),
    valueThreshold: z.number(),
    allowNullRatioDenominator: z.boolean(),
    funnelStrictOrdering: z.boolean(),
    funnelUseExposureAsFirstEvent: z.boolean(),
    funnelTimeToConvert: z.boolean(),
    funnelTimestampAllowanceMs: z.number(),
    winsorizationHigh: share,
    winsorizationLow: share,
    winsorizationHighDenominator: share,
    winsorizationLowDenominator: share,
    cupedAttributionWindow: z.number(),
    customRollUpStart: z.number(),
    customRollUpEnd: z.number(),
    onlyIncludeUsersWithConversionEvent: z.boolean(),
    denominatorCustomRollupMeasureInMinutes: z.boolean(),
    customRollupMeasureInMinutes: z.boolean(),
    percentile: z.number(),
    retentionEnd: z.number(),
    retentionLength: z.number(),
    logTransformBase: z.number(),
    cap: z.number(),
    surrogateMetricMSE: z.number(),
    useLogTransform: z.boolean(),
    useSecondaryRetentionEvent: z.boolean(),
    components: z.array(component).max(most.metrics),
  })
  .partial()
  .superRefine(ownWindow)
  .superRefine(denominatorWindow)
  .meta({ id: 'WarehouseNative' });

export type WarehouseNative = z.infer<typeof warehouseNative>;

const eventName = z.string().trim().min(1);

/** An event that a metric is computed from. */
const metricEvent = z
  .object({
    name: eventName,
    type: z.enum(['count', 'count_distinct', 'value', 'metadata']),
    metadataKey: z.string().min(1).optional(),
    criteria,
  })
  .meta({ id: 'MetricEvent' });

const metricEventInput = metricEvent
  .partial({ criteria: true })
  .extend({
    type: metricEvent.shape.type
      .optional()
      .transform((type = 'count') => type)
      .meta({ description: 'What of the event counts; `count` where absent.' }),
  })
  .superRefine(({ type, metadataKey }, context) => {
    if (type !== 'metadata' || metadataKey !== undefined) return;
    const message = 'is required for the type metadata';
    context.addIssue({ code: 'custom', path: ['metadataKey'], message });
  })
  .meta({ id: 'MetricEventInput' });

const funnelStep = z
  .object({
    name: eventName,
    type: z.enum(['event_dau', 'event_user', 'event_count', 'event_count_custom']),
  })
  .meta({ id: 'FunnelStep' });

/** What the response table of the contract leaves out, answered as it was given. */
const definition = {
  metricComponentMetrics: z.array(metricName).max(most.metrics),
  funnelEventList: z.array(funnelStep).max(most.entries),
  rollupTimeWindow: z.string().min(1).optional(),
  customRollUpStart: z.number().optional(),
  customRollUpEnd: z.number().optional(),
  funnelCountDistinct: z.enum(['events', 'users']).optional(),
  warehouseNative: warehouseNative.optional(),
};

const example = {
  name: 'Revenue',
  directionality: 'increase',
  type: 'sum',
  description: 'What customers paid.',
  isPermanent: false,
  isReadOnly: false,
  isVerified: true,
  tags: ['core'],
  unitTypes: ['userID'],
};

const exampleEvent = { name: 'purchase', type: 'value' };

/** A metric as it is answered (contract, metric). */
export const metricResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    directionality: direction,
    type: metricType,
    description: z.string(),
    isPermanent: z.boolean(),
    isReadOnly: z.boolean(),
    isHidden: z.boolean(),
    isVerified: z.boolean(),
    tags: strings,
    owner: z.object({
      name: z.string(),
      ownerID: z.string(),
      ownerType: z.string(),
      ownerName: z.string(),
      ownerEmail: z.string(),
    }),
    lineage: z.object({ events: strings, metrics: strings }),
    team: z.string(),
    teamID: nullableText,
    unitTypes: strings,
    metricEvents: z.array(metricEvent),
    ...definition,
    ...stamps,
  })
  .meta({
    id: 'Metric',
    examples: [
      {
        id: 'Revenue::sum',
        ...example,
        isHidden: false,
        owner: {
          name: 'CONSOLE API',
          ownerID: 'root',
          ownerType: 'USER',
          ownerName: 'CONSOLE API',
          ownerEmail: '',
        },
        lineage: { events: ['purchase'], metrics: [] },
        team: '',
        teamID: null,
        metricEvents: [{ ...exampleEvent, criteria: [] }],
        metricComponentMetrics: [],
        funnelEventList: [],
        ...stampsExample,
      },
    ],
  });

/** A metric as it is stored: what is computed when read is left out. */
export type Metric = Omit<z.infer<typeof metricResponse>, 'lineage'>;

/** `team` in a body: null means none, answered as the empty text. */
const teamInput = nullableText.transform((team) => team ?? '');

const fields = z
  .object({
    name,
    description,
    tags,
    isVerified: z.boolean(),
    isReadOnly: z.boolean(),
    isPermanent: z.boolean(),
    isHidden: z.boolean(),
    warehouseNative,
    unitTypes: texts,
    team: teamInput,
    teamID: nullableText,
    directionality: direction,
    dryRun: z.boolean().meta({ description: 'Check everything, store nothing.' }),
  })
  .partial();

/** Body of POST /metrics/{id} (contract, operation 12): a partial update. */
export const metricUpdate = fields
  .extend({ owner: z.object({ email: z.string(), ownerID: z.string() }).partial().optional() })
  .meta({ id: 'MetricUpdate', examples: [{ tags: ['core', 'finance'], isVerified: true }] });

/** Body of POST /metrics (contract, operation 11). */
export const metricCreate = fields
  .extend({
    name,
    type: metricType,
    metricEvents: z.array(metricEventInput).max(most.entries).optional(),
    ...definition,
    metricComponentMetrics: definition.metricComponentMetrics.optional(),
    funnelEventList: definition.funnelEventList.optional(),
  })
  .superRefine(ownWindow)
  .meta({ id: 'MetricCreate', examples: [{ ...example, metricEvents: [exampleEvent] }] });

/** Query of GET /metrics. */
export const metricList = listQuery.extend({ type: repeatable(metricType) });
