import * as z from 'zod';
import { jsonKey, texts } from '../../base/fields.ts';
import { limits, maxMagnitude } from '../../base/limits.ts';
import { report } from '../../base/report.ts';
import { criteria } from './criteria.ts';
import { denominatorWindow, ownWindow } from './rollup_windows.ts';

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
const bounded = z.number().min(-maxMagnitude).max(maxMagnitude);
const share = z.number().min(0).max(1);

const metricSource = z
  .object({ metricSourceName: z.string(), criteria, valueColumn: jsonKey })
  .partial();

const funnelEvent = z
  .object({
    criteria,
    metricSourceName: z.string(),
    name: z.string(),
    sessionIdentifierField: jsonKey,
  })
  .partial();

const component = z
  .object({
    operator: z.string(),
    aggregation,
    metricSourceName: z.string(),
    name: z.string(),
    valueColumn: jsonKey,
    criteria,
  })
  .partial();

const quantileOrder =
  (low: string, high: string) =>
  (values: Record<string, unknown>, context: z.RefinementCtx): void => {
    if (Number(values[high]) < Number(values[low]))
      report(context, `must not be below ${low}`, high);
  };

export const warehouseNative = z
  .object({
    aggregation,
    numeratorAggregation: aggregation,
    denominatorAggregation: aggregation,
    metricSourceName: z.string(),
    denominatorMetricSourceName: z.string(),
    valueColumn: jsonKey,
    denominatorValueColumn: jsonKey,
    criteria,
    denominatorCriteria: criteria,
    metricSources: z.array(metricSource).max(limits.entries),
    waitForCohortWindow: z.boolean(),
    denominatorCustomRollupStart: z.number(),
    denominatorCustomRollupEnd: z.number(),
    denominatorRollupTimeWindow: rollupTimeWindow,
    rollupTimeWindow,
    funnelCalculationWindow: z.number(),
    funnelCountDistinct: z.enum(['sessions', 'users']),
    funnelEvents: z.array(funnelEvent).max(limits.entries),
    funnelStartCriteria: z.enum(['start_event', 'exposure']),
    metricDimensionColumns: texts,
    metricDimensionLimits: z
      .array(z.object({ name: z.string(), limit: z.number() }))
      .max(limits.entries),
    metricBakeDays: z.number(),
    loadingWindow: z.number(),
    valueThreshold: bounded,
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
    cap: bounded,
    surrogateMetricMSE: z.number(),
    useLogTransform: z.boolean(),
    useSecondaryRetentionEvent: z.boolean(),
    components: z.array(component).max(limits.metrics),
  })
  .partial()
  .superRefine(ownWindow)
  .superRefine(denominatorWindow)
  .superRefine(quantileOrder('winsorizationLow', 'winsorizationHigh'))
  .superRefine(quantileOrder('winsorizationLowDenominator', 'winsorizationHighDenominator'))
  .meta({ id: 'WarehouseNative' });

export type WarehouseNative = z.infer<typeof warehouseNative>;
