import { describeRoutes } from '../platform/openapi/words/describe.ts';
import type { experimentResultRoutes } from './experiment_routes.ts';
import { maxIDs } from './exposures/exposure_count_schema.ts';
import type { exposureCountRoutes, gateResultRoutes, holdoutResultRoutes } from './routes.ts';

const start = 'The start of an earlier run, in epoch milliseconds.';
const date = 'The day (UTC); the latest with results if absent.';
const cuped = 'Whether values before the exposure reduce the variance.';
const confidence = 'In percent.';
const metricID = 'The ID of a metric of the experiment.';

const groups = { control: 'The ID of the control group.', test: 'The ID of the test group.' };

const corrections = {
  applyBonferroniPerVariant: 'Whether the error rate is divided by the test groups.',
  applyBonferroniPerMetric: 'Whether the error rate is divided among the metrics.',
  bonferroniPrimaryMetricWeight:
    'The share of the error rate that primary metrics have together, 0 to 1.',
  applyBenjaminiHochbergPerMetric: 'Whether false discoveries are limited among all metrics.',
  applyBenjaminiHochbergPerVariant: 'Whether false discoveries are limited among all test groups.',
  sequential: 'Whether results may be read before the planned end.',
};

const results = {
  ...groups,
  ...corrections,
  cuped,
  confidence,
  date,
  rollup: 'How many days up to the date count; -1 for all.',
  start,
};

describeRoutes<typeof experimentResultRoutes>('experiments', {
  parameters: {
    'GET /pulse_summaries': { ids: 'IDs of experiments, separated by commas; at most 100.' },
    'GET /:id/pulse_results': results,
    'GET /:id/pulse_metric_result': {
      ...results,
      metricID,
      dimension: 'A dimension of the experiment, by whose values the result is sliced.',
    },
    'GET /:id/pulse_series': {
      ...groups,
      ...corrections,
      cuped,
      confidence,
      metricID,
      view: 'Whether a point counts all days so far, its own, or what each unit did on that day after its exposure.',
      startDate: 'The first day (UTC) that counts.',
      endDate: 'The last day (UTC) that counts.',
      start,
    },
    'GET /:id/pulse_sparks': { ...groups, cuped, start },
    'GET /:id/cumulative_exposures': { dimension: 'A dimension of the experiment.', start },
    'GET /:id/exposures': { start },
    'GET /:id/health': { start },
    'GET /:id/baseline': {
      metricID: 'The ID of any metric.',
      days: 'The last whole days that count; 14 if absent.',
    },
  },
});

describeRoutes<typeof gateResultRoutes>('gates', {
  parameters: { 'GET /:id/rules/:ruleID/pulse_results': { cuped, confidence, date, start } },
});

describeRoutes<typeof holdoutResultRoutes>('holdouts', {
  parameters: { 'GET /:id/pulse_results': { cuped, confidence, date, start } },
});

const idsOf = (noun: string) => `IDs of ${noun}, separated by commas; at most ${maxIDs}.`;

describeRoutes<typeof exposureCountRoutes>('exposure_count', {
  parameters: {
    'GET /': {
      experiments: idsOf('experiments'),
      gates: idsOf('gates'),
      dynamicConfigs: idsOf('dynamic configs'),
    },
  },
});
