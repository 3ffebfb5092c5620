import { describe, describeRoutes } from '../../platform/openapi/words/describe.ts';
import { criterion } from './criteria.ts';
import { funnelStep, metricEvent, metricEventInput } from './definition_schema.ts';
import { metricName, metricReference } from './metric_names.ts';
import type { metricRoutes } from './routes.ts';
import { metricCreate, metricResponse, metricUpdate } from './schema.ts';
import { warehouseNative } from './warehouse_schema.ts';

describe(criterion, {
  type: 'What to check: the value, metadata, the user, or the sender, such as server.',
  nullVacuousOverride: 'Whether a missing value matches.',
});

describe(metricName, { name: 'The name of the metric.', type: 'The type of the metric.' });

describe(metricReference, {
  name: 'The name of the metric.',
  type: 'The type of the metric.',
  direction: 'The expected direction of change.',
  hypothesizedValue: 'The expected size of the change.',
});

describe(funnelStep, { name: 'The name of the event.', type: 'How its events are counted.' });

describe([metricResponse, metricCreate, metricUpdate], {
  id: 'The ID: name::type.',
  name: 'The name; 3 to 200 characters.',
  directionality: 'Whether an increase or a decrease is better.',
  type: 'The type of definition.',
  isPermanent: 'Whether it is permanent.',
  isReadOnly: 'Whether only this API edits its definition.',
  isHidden: 'Whether the console hides it at first.',
  isVerified: 'Whether it is verified.',
  lineage: [
    'The dependencies of its definition.',
    { events: 'The events.', metrics: 'The metrics.' },
  ],
  unitTypes: 'Its ID types.',
  metricEvents: 'The events that define it.',
  metricComponentMetrics: 'The components of a composite metric.',
  funnelEventList: 'The steps of a funnel, in order.',
  warehouseNative: 'Its definition in a warehouse.',
  dryRun: 'Check everything, store nothing.',
  owner: { name: 'The name of the owner.' },
});

describe([metricEvent, metricEventInput], {
  name: 'The name of the event.',
  type: 'The part of the event that counts; `count` if absent.',
  metadataKey: 'The metadata property to count.',
});

describe(warehouseNative, {
  numeratorAggregation: 'How rows are aggregated to the numerator.',
  denominatorAggregation: 'How rows are aggregated to the denominator.',
  denominatorMetricSourceName: 'The metric source of the denominator.',
  denominatorValueColumn: 'The column of the denominator.',
  denominatorCriteria: 'Conditions on the rows of the denominator.',
  metricSources: 'Further metric sources to count.',
  waitForCohortWindow: 'Whether only units with a complete window count.',
  denominatorCustomRollupStart: 'The start of the denominator window, in days.',
  denominatorCustomRollupEnd: 'The end of the denominator window, in days.',
  denominatorRollupTimeWindow: 'The window of the denominator.',
  funnelCalculationWindow: 'The time limit for a unit to complete the funnel.',
  funnelEvents: [
    'The steps of the funnel, in order.',
    { name: 'The name of the step.', sessionIdentifierField: 'The column of the session.' },
  ],
  funnelStartCriteria: 'The start of the funnel: its first event, or the exposure.',
  metricDimensionColumns: 'The columns that results are split by.',
  metricDimensionLimits: [
    'The number of values per column.',
    { name: 'The column.', limit: 'The maximum.' },
  ],
  metricBakeDays: 'The days until a value is final.',
  loadingWindow: 'The days that are reloaded.',
  valueThreshold: 'The minimum value for a unit to count.',
  allowNullRatioDenominator: 'Whether units without a denominator count.',
  funnelStrictOrdering: 'Whether steps must come in order.',
  funnelUseExposureAsFirstEvent: 'Whether the exposure is the first step.',
  funnelTimeToConvert: 'Whether the time to convert is measured.',
  funnelTimestampAllowanceMs: 'The milliseconds that steps may be out of order.',
  winsorizationHigh: 'The quantile above which values are cut off, 0 to 1.',
  winsorizationLow: 'The quantile below which values are cut off, 0 to 1.',
  winsorizationHighDenominator: 'The upper quantile for the denominator.',
  winsorizationLowDenominator: 'The lower quantile for the denominator.',
  cupedAttributionWindow: 'The days before exposure that CUPED uses.',
  onlyIncludeUsersWithConversionEvent: 'Whether only units that converted count.',
  denominatorCustomRollupMeasureInMinutes: 'Whether the window of the denominator is in minutes.',
  customRollupMeasureInMinutes: 'Whether the window is in minutes.',
  percentile: 'The percentile.',
  retentionEnd: 'The day to measure retention on.',
  retentionLength: 'The days to measure retention over.',
  logTransformBase: 'The base of the logarithm.',
  cap: 'The maximum of a unit on one day, over all events of the metric.',
  surrogateMetricMSE: 'The error of the model behind a surrogate metric.',
  useLogTransform: 'Whether to take the logarithm of values.',
  useSecondaryRetentionEvent: 'Whether a second event defines retention.',
  components: [
    'The components of the metric.',
    {
      operator: 'How the component is combined with the others.',
      name: 'The name of the component.',
    },
  ],
});

describeRoutes<typeof metricRoutes>('metrics', {
  operations: {
    'POST /:id':
      'Absent properties stay unchanged. A new name changes the ID; the old ID returns 404 with the new one.',
  },
});
